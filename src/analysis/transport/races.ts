import type { TransportEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import { protocolOf } from './protocol.ts';

/** A race that a source reports of a request. */
export interface Race {
  readonly source: TransportEvent['source'];
  readonly outcome: string;
  /** Why it was run, as `docs/browsers.md` names it; null where it was not, or where nobody asked. */
  readonly cause: string | null;
  /** Whether the request began before the first h3 response: till then a browser has to use TCP. */
  readonly isDiscovery: boolean;
}

/** The races of a session's requests, by every source that reports any. */
export function racesOf(log: SessionLog): Race[] {
  const foundMs = discoveredMs(log) ?? -Infinity;
  const requests = new Map(eventsOf(log, 'request').map((request) => [request.id, request]));
  return eventsOf(log, 'transport').flatMap(({ source, requestId, races }) => {
    const request = requests.get(requestId ?? '');
    if (!request) return [];
    const isDiscovery = (request.startMs ?? request.atMs) < foundMs;
    return races.map(({ outcome, cause }) => ({ source, outcome, isDiscovery, cause: cause ?? null }));
  });
}

/** How often each outcome was met, discovery apart. */
interface RaceTally {
  readonly outcome: string;
  readonly discovery: number;
  readonly later: number;
}

/** Races of requests by one source, in the order in which their outcomes were first met. */
export function raceTally(log: SessionLog, of: Race['source'] = 'netlog'): RaceTally[] {
  const tally = new Map<string, { discovery: number; later: number }>();
  for (const { source, outcome, isDiscovery } of racesOf(log)) {
    if (source !== of) continue;
    const counts = tally.get(outcome) ?? { discovery: 0, later: 0 };
    counts[isDiscovery ? 'discovery' : 'later'] += 1;
    tally.set(outcome, counts);
  }
  return [...tally].map(([outcome, counts]) => ({ outcome, ...counts }));
}

/**
 * When the first answer over h3 came, ms of session time; null when none ever came. What was asked before is discovery:
 * a browser that knows of no h3 has to use TCP. A browser that used h3 on a visit before has nothing to discover: 0.
 */
export function discoveredMs(log: SessionLog): number | null {
  if (knewH3(log)) return 0;
  const came = eventsOf(log, 'request')
    .filter(({ protocol }) => protocolOf(protocol) === 'h3')
    .map(({ firstByteMs, endMs, atMs }) => firstByteMs ?? endMs ?? atMs);
  return came.length > 0 ? came.reduce((first, ms) => Math.min(first, ms)) : null;
}

/** Whether the browser had used h3 with the origin before the session, so that there was nothing to discover. */
export const knewH3 = ({ environment }: Partial<Pick<SessionLog, 'environment'>>): boolean =>
  environment?.visit?.protocols.some((protocol) => protocolOf(protocol) === 'h3') ?? false;
