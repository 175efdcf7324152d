import type { Fault, Schema } from './checkOf.ts';
import { SessionEvent } from './sessionLog.ts';

/** Schemas of events by kind, because a union tries every kind in turn. */
const SCHEMAS = new Map<unknown, Schema>(
  SessionEvent.anyOf.map((schema) => [schema.properties.kind.const, schema]),
);

export const schemaOfKind = (kind: unknown): Schema | undefined => SCHEMAS.get(kind);

/** Returns the fault of the reasons in a record. Unknown is null with a reason: each null has one, and no value has one. */
export function faultOfMissing(record: {
  readonly missing: Readonly<Record<string, unknown>>;
}): string | null {
  const fields = record as unknown as Readonly<Record<string, unknown>>;
  const reasons = record.missing;
  for (const key in fields)
    if (fields[key] === null && !Object.hasOwn(reasons, key))
      return `: ${key} is null and /missing gives no reason.`;
  for (const key in reasons)
    if ((!Object.hasOwn(fields, key) || fields[key] !== null) && Object.hasOwn(reasons, key))
      return `: /missing gives a reason for ${quoted(key)}, which is not null.`;
  return null;
}

/** Returns the fault of the reasons in an event or in the ranges of a request; null where each null has its reason. */
export function faultOfReasons(event: SessionEvent): string | null {
  const own = faultOfMissing(event);
  if (own || !('ranges' in event)) return own;
  const fault = event.ranges?.map(faultOfMissing).find(Boolean);
  return fault ? `/ranges${fault}` : null;
}

/** What is wrong at a place, in one sentence. */
export function formatFault({ path, wanted, value }: Fault): string {
  const where = path === '' ? 'the value' : shortened(path);
  return wanted === null
    ? `${where} should not be there.`
    : `${where} should be ${wanted}, but it is ${quoted(value)}.`;
}

/** Lists and objects are only named: a file may nest them deeper than they can be written. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'not there';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
  // JSON has no word for them.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return shortened(JSON.stringify(value) ?? typeof value);
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);
