import { groupBy } from '../../shared/groupBy.ts';
import type { EventKind, EventOf } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/**
 * A function of a log that is worked out once for each: forty metrics ask for the same spans and windows. A log that has
 * grown since is another one; nobody may change what comes back.
 */
export function oncePerLog<Value>(of: (log: SessionLog) => Value): (log: SessionLog) => Value {
  const known = new WeakMap<SessionLog, { readonly events: number; readonly value: Value }>();
  return (log) => {
    const there = known.get(log);
    if (there?.events === log.events.length) return there.value;
    const value = of(log);
    known.set(log, { events: log.events.length, value });
    return value;
  };
}

/** The events of one kind, typed, in recording order. */
export const eventsOf = <Kind extends EventKind>(log: SessionLog, kind: Kind): readonly EventOf<Kind>[] =>
  (byKind(log).get(kind) ?? []) as readonly EventOf<Kind>[];

const byKind = oncePerLog(({ events }): ReadonlyMap<EventKind, readonly unknown[]> =>
  groupBy(events, ({ kind }) => kind),
);

/**
 * Last moment in a log, ms of session time. This is not the time of its last event: a request is recorded when it ends,
 * with the time at which it was asked for.
 */
export const logEndMs = oncePerLog(({ events, parts }): number => {
  const ofParts = parts.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0);
  let lastMs = ofParts;
  for (const { atMs } of events) if (atMs > lastMs) lastMs = atMs;
  return lastMs;
});
