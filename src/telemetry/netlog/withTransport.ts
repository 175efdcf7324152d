import type { Draft, TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

/** The log with the truth of one source in it; what that source had told before is replaced. */
export function withTransport(
  log: SessionLog,
  source: TransportEvent['source'],
  drafts: readonly Draft<TransportEvent>[],
): SessionLog {
  const kept = log.events.filter((event) => event.kind !== 'transport' || event.source !== source);
  const reported = drafts.map((draft, index) => ({ ...draft, id: `x-${source}-${index + 1}` }));
  return { ...log, events: [...kept, ...reported] };
}
