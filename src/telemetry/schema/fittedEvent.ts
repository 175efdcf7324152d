import { checkFor, fitted, UNFIT } from './fitted.ts';
import type { Fault } from './jsonSchema.ts';
import { faultOfMissing, schemaOfKind } from './recordFault.ts';
import { SessionHeader, type SessionEvent } from './sessionLog.ts';

export interface Fitted<Value> {
  /** null: nothing like it can be in a log. */
  readonly value: Value | null;
  /** What had to change, part by part; empty when the value is what it was. */
  readonly faults: readonly Fault[];
}

/** An event as a log may hold it: `readSession` takes it. What fits is the same object. */
export function fittedEvent(event: SessionEvent): Fitted<SessionEvent> {
  const schema = schemaOfKind(event.kind);
  if (!schema) return { value: null, faults: [] };
  if (!checkFor(schema)(event) && !faultOfMissing(event)) return { value: event, faults: [] };
  const faults: Fault[] = [];
  const value = fitted(schema, event, (fault) => void faults.push(fault));
  return { value: value === UNFIT ? null : withReasons(value as SessionEvent), faults };
}

/** The same for a session's header: its address, settings and versions come from outside, too. */
export function fittedHeader(header: SessionHeader): SessionHeader {
  const value = fitted(SessionHeader, header, () => undefined);
  if (value === UNFIT) throw new Error(`No session log can have the header ${JSON.stringify(header)}.`);
  const { environment, ...rest } = value as SessionHeader;
  return { ...rest, environment: withReasons(environment) };
}

type Reasoned = Parameters<typeof faultOfMissing>[0];

/** Each null with a reason, and no reason beside a value. */
function withReasons<Record extends Reasoned>(record: Record): Record {
  if (!faultOfMissing(record)) return record;
  const reasons = Object.entries(record)
    .filter(([, value]) => value === null)
    .map(([key]) => [key, Object.hasOwn(record.missing, key) ? record.missing[key] : 'out-of-range']);
  return { ...record, missing: Object.fromEntries(reasons) };
}
