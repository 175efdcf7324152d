import type { EventKind, EventOf } from '../telemetry/event.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** The events of one kind, typed, in recording order. */
export function eventsOf<Kind extends EventKind>(log: SessionLog, kind: Kind): EventOf<Kind>[] {
  return log.events.filter((event): event is EventOf<Kind> => event.kind === kind);
}
