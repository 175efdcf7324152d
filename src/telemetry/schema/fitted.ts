import { isObject } from '../../shared/jsonObject.ts';
import { checkFor, type Fault, type Schema } from './checkOf.ts';
import { faultOfMissing, faultOfReasons, schemaOfKind } from './recordFault.ts';
import { SessionHeader, type SessionEvent } from './sessionLog.ts';

interface Fitted<Value> {
  /** null: nothing like it can be in a log. */
  readonly value: Value | null;
  /** What had to change, part by part; empty when the value is what it was. */
  readonly faults: readonly Fault[];
}

/** Returns an event as a log may hold it: `readSession` takes it. What fits is the same object. */
export function fittedEvent(event: SessionEvent): Fitted<SessionEvent> {
  const schema = schemaOfKind(event.kind);
  if (!schema)
    return {
      value: null,
      faults: [{ path: '/kind', wanted: 'a kind that is recorded here', value: event.kind }],
    };
  if (!checkFor(schema)(event) && !faultOfReasons(event)) return { value: event, faults: [] };
  const faults: Fault[] = [];
  const value = fitted(schema, event, (fault) => void faults.push(fault));
  return { value: value === UNFIT ? null : withAllReasons(value as SessionEvent), faults };
}

/** Returns a session's header as a log may hold it: its address, settings and versions come from outside, too. */
export function fittedHeader(header: SessionHeader): SessionHeader {
  const value = fitted(SessionHeader, header, () => undefined);
  if (value === UNFIT) throw new Error(`No session log can have the header ${JSON.stringify(header)}.`);
  const { environment, ...rest } = value as SessionHeader;
  const { beside } = environment;
  const flows = beside && { beside: { ...beside, flows: beside.flows.map(withReasons) } };
  return { ...rest, environment: withReasons({ ...environment, ...flows }) };
}

type Reasoned = Parameters<typeof faultOfMissing>[0];

/** Returns the record with a reason for each null, and with no reason beside a value. */
function withReasons<Record extends Reasoned>(record: Record): Record {
  if (!faultOfMissing(record)) return record;
  const reasons = Object.entries(record)
    .filter(([, value]) => value === null)
    .map(([key]) => [key, Object.hasOwn(record.missing, key) ? record.missing[key] : 'out-of-range']);
  return { ...record, missing: Object.fromEntries(reasons) };
}

function withAllReasons(event: SessionEvent): SessionEvent {
  const own = withReasons(event);
  return 'ranges' in own && own.ranges ? { ...own, ranges: own.ranges.map(withReasons) } : own;
}

/** What `fitted` answers where nothing like the value can be written. */
const UNFIT = Symbol('unfit');

/** Receives each part that had to change: where it stands, what the schema wants there, and what was there. */
type Note = (fault: Fault) => void;

/**
 * The value as the schema allows it, for a recorder whose sources are strangers: numbers of a manifest may be negative, huge or
 * no numbers at all, texts and lists of any length. What fits comes back as it is. Where null is allowed, a number out of bounds
 * becomes null; elsewhere it becomes the nearest one allowed. Texts and lists are cut. What the schema has no word for is left out.
 */
function fitted(schema: Schema, value: unknown, note: Note): unknown {
  const fault = checkFor(schema)(value);
  if (!fault) return value;
  if (schema.anyOf) return fittedUnion(schema.anyOf, value, note);
  if (schema.type === 'array') return fittedList(schema, value, note);
  if (schema.type === 'object') return fittedObject(schema, value, note);
  note(fault);
  return fittedLeaf(schema, value);
}

/** A number beside null is null: what is not known is better said than made up. A text is rather cut. */
function fittedUnion(anyOf: readonly Schema[], value: unknown, note: Note): unknown {
  const otherwise = anyOf.some(({ type }) => type === 'null') ? null : UNFIT;
  const alternative = anyOf.find((each) => looksLike(each, value));
  if (!alternative || (typeof value === 'number' && otherwise === null)) {
    note(checkFor({ anyOf })(value) ?? { path: '', wanted: null, value });
    return otherwise;
  }
  const inner = fitted(alternative, value, note);
  return inner === UNFIT ? otherwise : inner;
}

/** Objects are distinguished by their `kind`. */
function looksLike(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return false;
  if (schema.type === 'array') return Array.isArray(value);
  if (schema.type === 'integer') return typeof value === 'number';
  if (schema.type !== 'object') return typeof value === schema.type;
  const kind = schema.properties?.['kind']?.const;
  return isObject(value) && (kind === undefined || kind === value['kind']);
}

function fittedList({ items = {}, minItems = 0, maxItems = Infinity }: Schema, value: unknown, note: Note) {
  if (!Array.isArray(value) || value.length > maxItems)
    note({ path: '', wanted: `a list of ${minItems} to ${maxItems} entries`, value });
  if (!Array.isArray(value)) return UNFIT;
  const entries = value
    .slice(0, maxItems)
    .map((entry, index) => fitted(items, entry, below(index, note)))
    .filter((entry) => entry !== UNFIT);
  return entries.length < minItems ? UNFIT : entries;
}

function fittedObject(schema: Schema, value: unknown, note: Note): unknown {
  if (!isObject(value)) {
    note({ path: '', wanted: 'an object', value });
    return UNFIT;
  }
  const entries = schema.patternProperties
    ? fittedDictionary(schema.patternProperties, value, note)
    : fittedRecord(schema, value, note);
  // From entries, so that a field named "__proto__" stays a field.
  return entries === UNFIT ? UNFIT : Object.fromEntries(entries);
}

type Entries = readonly (readonly [string, unknown])[];

function fittedDictionary(
  patternProperties: NonNullable<Schema['patternProperties']>,
  value: Readonly<Record<string, unknown>>,
  note: Note,
): Entries {
  const [[pattern, values] = ['', {}]] = Object.entries(patternProperties);
  const shape = new RegExp(pattern);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!shape.test(key)) note({ path: `/${key}`, wanted: null, value: inner });
    const entry = shape.test(key) ? fitted(values, inner, below(key, note)) : UNFIT;
    return entry === UNFIT ? [] : [[key, entry] as const];
  });
}

/** UNFIT when a field that must be there cannot be. */
function fittedRecord(
  { properties = {}, required = [] }: Schema,
  value: Readonly<Record<string, unknown>>,
  note: Note,
): Entries | typeof UNFIT {
  for (const key of Object.keys(value))
    if (!Object.hasOwn(properties, key)) note({ path: `/${key}`, wanted: null, value: value[key] });
  const entries = Object.entries(properties)
    .filter(([key]) => value[key] !== undefined || required.includes(key))
    .map(([key, schema]) => [key, fitted(schema, value[key], below(key, note))] as const);
  if (entries.some(([key, inner]) => inner === UNFIT && required.includes(key))) return UNFIT;
  return entries.filter(([, inner]) => inner !== UNFIT);
}

function fittedLeaf(schema: Schema, value: unknown): unknown {
  if (typeof value === 'number') return fittedNumber(schema, value);
  if (typeof value !== 'string' || schema.type !== 'string') return UNFIT;
  const text = cut(value, schema.maxLength ?? Infinity);
  return checkFor(schema)(text) ? UNFIT : text;
}

/** JSON has no NaN and no infinity. */
function fittedNumber(
  { type, minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE }: Schema,
  value: number,
) {
  if (type !== 'number' && type !== 'integer') return UNFIT;
  const number = Number.isNaN(value) ? 0 : value;
  const bounded = Math.min(maximum, Math.max(minimum, number));
  return type === 'integer' ? Math.round(bounded) : bounded;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

const below =
  (key: string | number, note: Note): Note =>
  (fault) =>
    note({ ...fault, path: `/${key}${fault.path}` });
