import type { RequestEvent, TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

/**
 * Lists requests of a session for which a transport source lacks a record, one sentence each. A request that got
 * response headers has the NetLog's races and, where DevTools was asked, its one value. A request that failed has the
 * NetLog's races, the last with its net error.
 */
export function sourceGaps(
  { events }: Pick<SessionLog, 'events'>,
  { devTools: isAsked }: { readonly devTools: boolean },
): string[] {
  const reported = new Map<string, TransportEvent>();
  for (const event of events)
    if (event.kind === 'transport' && event.requestId !== null)
      reported.set(`${event.source} ${event.requestId}`, event);
  return events
    .filter((event) => event.kind === 'request')
    .filter(mustHaveRaced)
    .flatMap((request) => {
      const netLog = reported.get(`netlog ${request.id}`);
      // Without a race where the NetLog has the request: the browser's cache answered.
      if (netLog?.races.length === 0 && request.outcome !== 'network-error') return [];
      const gaps = [
        ...netLogGaps(request, netLog),
        ...(isAsked ? devToolsGaps(request, reported.get(`devtools ${request.id}`)) : []),
      ];
      return gaps.map((gap) => `request ${request.id} (${request.outcome}): ${gap}`);
    });
}

/** One that was given up before it was answered may never have reached the network. */
const mustHaveRaced = ({ outcome, status }: RequestEvent): boolean =>
  outcome !== 'in-flight' && (outcome !== 'aborted' || status !== null);

function netLogGaps({ outcome }: RequestEvent, netLog: TransportEvent | undefined): string[] {
  if (!netLog || netLog.races.length === 0) return ['the NetLog has no race of it'];
  const netError = netLog.races.at(-1)?.netError ?? null;
  return outcome === 'network-error' && netError === null ? ['the NetLog has no error of it'] : [];
}

function devToolsGaps({ status }: RequestEvent, devTools: TransportEvent | undefined): string[] {
  return status !== null && devTools?.races.length !== 1 ? ['DevTools has no value of it'] : [];
}
