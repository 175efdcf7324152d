import type { Draft, TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

/** Returns the log with the events of one transport source; they replace the earlier events of that source. */
export function withTransport(
  log: SessionLog,
  source: TransportEvent['source'],
  drafts: readonly Draft<TransportEvent>[],
): SessionLog {
  const kept = log.events.filter((event) => event.kind !== 'transport' || event.source !== source);
  const reported = drafts.map((draft, index) => ({ ...draft, id: `x-${source}-${index + 1}` }));
  return { ...log, events: [...kept, ...reported] };
}
