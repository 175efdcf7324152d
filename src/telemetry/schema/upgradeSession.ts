import { isObject, type JsonObject } from '../../shared/jsonObject.ts';
import { SCHEMA_ID } from './versions.ts';

const VERSION_1 = 'pitwall-session/1';

/**
 * Turns a log of an older version into one of `SCHEMA_ID`; any other value is returned as it is, and checked as it is.
 * Version 2 renames the event `told` to `rule-input`, its field `told` to `input`, `toldId` of a decision to `inputId`, the
 * reason `not-told` to `not-reported`, and the origin `speaking` to `instrumented`. A session begun by an older page and
 * resumed by a newer one holds events of both versions under the older header.
 */
export function upgradeSession(value: unknown): unknown {
  if (!isObject(value) || value['schema'] !== VERSION_1) return value;
  const { environment, events } = value;
  return {
    ...value,
    schema: SCHEMA_ID,
    ...(isObject(environment) && { environment: upgradeEnvironment(environment) }),
    ...(Array.isArray(events) && { events: events.map(upgradeEvent) }),
  };
}

function upgradeEvent(event: unknown): unknown {
  if (!isObject(event)) return event;
  if (event['kind'] === 'told') {
    const { told: input, ...rest } = event;
    return { ...upgradeMissing(rest), kind: 'rule-input', input };
  }
  if (event['kind'] === 'decision' && 'toldId' in event) {
    const { toldId: inputId, ...rest } = event;
    return upgradeMissing({ ...rest, inputId });
  }
  return upgradeMissing(event);
}

function upgradeEnvironment(environment: JsonObject): JsonObject {
  const { origin } = environment;
  if (!isObject(origin) || origin['program'] !== 'speaking') return upgradeMissing(environment);
  return { ...upgradeMissing(environment), origin: { ...origin, program: 'instrumented' } };
}

/** Copies only what changes: most events have nothing to rename. */
function upgradeMissing(holder: JsonObject): JsonObject {
  const { missing } = holder;
  if (!isObject(missing) || !Object.values(missing).includes('not-told')) return holder;
  const renamed = Object.entries(missing).map(([name, reason]) => [
    name === 'toldId' ? 'inputId' : name,
    reason === 'not-told' ? 'not-reported' : reason,
  ]);
  return { ...holder, missing: Object.fromEntries(renamed) as unknown };
}
