import type { RequestEvent } from '../telemetry/event.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { knewH3 } from './knewH3.ts';

/** How often each outcome was met, discovery apart: before the first h3 response a browser has to use TCP. */
export interface RaceTally {
  readonly outcome: string;
  readonly discovery: number;
  readonly later: number;
}

/** Races of requests by the NetLog, in the order in which their outcomes were first met. */
export function raceTally(log: Pick<SessionLog, 'events'> & Partial<SessionLog>): RaceTally[] {
  const { events } = log;
  const requests = new Map(
    events.filter((event) => event.kind === 'request').map((request) => [request.id, request]),
  );
  const foundMs = firstH3Ms(log, [...requests.values()]);
  const tally = new Map<string, { discovery: number; later: number }>();
  for (const event of events) {
    if (event.kind !== 'transport' || event.source !== 'netlog') continue;
    const request = requests.get(event.requestId ?? '');
    if (!request) continue;
    const stage = (request.startMs ?? request.atMs) < foundMs ? 'discovery' : 'later';
    for (const { outcome } of event.races) {
      const counts = tally.get(outcome) ?? { discovery: 0, later: 0 };
      counts[stage] += 1;
      tally.set(outcome, counts);
    }
  }
  return [...tally].map(([outcome, counts]) => ({ outcome, ...counts }));
}

/** When the first h3 response came. Without any nothing was discovered, nor after a visit: then every request counts as later. */
function firstH3Ms(log: Partial<SessionLog>, requests: readonly RequestEvent[]): number {
  if (knewH3(log)) return -Infinity;
  const came = requests
    .filter(({ protocol }) => protocol === 'h3')
    .map(({ firstByteMs, endMs }) => firstByteMs ?? endMs ?? Infinity);
  return came.length === 0 ? -Infinity : Math.min(...came);
}
