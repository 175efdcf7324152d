import type { EventKind, EventOf } from '../telemetry/event.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';
import { oncePerLog } from './oncePerLog.ts';

/** The events of one kind, typed, in recording order. */
export const eventsOf = <Kind extends EventKind>(log: SessionLog, kind: Kind): readonly EventOf<Kind>[] =>
  (byKind(log).get(kind) ?? []) as readonly EventOf<Kind>[];

const byKind = oncePerLog(({ events }): ReadonlyMap<EventKind, readonly unknown[]> => {
  const found = new Map<EventKind, SessionEvent[]>();
  for (const event of events) if (!found.get(event.kind)?.push(event)) found.set(event.kind, [event]);
  return found;
});
