import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

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
