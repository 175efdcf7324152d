/**
 * The exports of a module of schemas as the source of another that makes equal ones without the library of the first. Equal
 * parts are written once, and have a name. The build of the page replaces `sessionLog.ts` by it.
 */
export function dataModule(exports: Readonly<Record<string, unknown>>): string {
  const uses = usesIn(Object.values(exports));
  const names = new Map<string, string>();
  const write = (value: unknown): string => {
    if (!isObject(value)) return JSON.stringify(value);
    const written = sourceOf(value, write);
    if (uses.get(JSON.stringify(value)) === 1) return written;
    const name = names.get(written) ?? `data${names.size}`;
    names.set(written, name);
    return name;
  };
  // Parts are named before their wholes, so that every name stands above its use.
  const exported = Object.entries(exports).map(([name, value]) => `export const ${name} = ${write(value)};`);
  const shared = [...names].map(([written, name]) => `const ${name} = ${written};`);
  return [MAKERS, ...shared, ...exported, ''].join('\n');
}

/** How many places want each value, by its JSON. Parts of equal values count once. */
function usesIn(values: readonly unknown[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const count = (value: unknown): string => {
    const key = JSON.stringify(value);
    const before = uses.get(key) ?? 0;
    uses.set(key, before + 1);
    return isObject(value) && before === 0 ? sourceOf(value, count) : '';
  };
  values.forEach(count);
  return uses;
}

/** The source of a value. */
type Write = (value: unknown) => string;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const sourceOf = (value: Fields, write: Write): string => callOf(value, write) ?? literal(value, write);

const literal = (value: Fields, write: Write): string =>
  Array.isArray(value)
    ? `[${value.map(write).join()}]`
    : `{${Object.entries(value)
        .map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`)
        .join()}}`;

/**
 * Makers of the shapes that most schemas have. A call is half as long as the object that it makes: the page's script is 0.4 kB
 * smaller (brotli). `schemaOf`: a schema that allows one word, or only null, is written as that word, or null. The name of a part
 * that may be absent ends with a `$`.
 */
const MAKERS = `
const schemaOf = (from) => from === null ? { type: 'null' } : from.trim ? { const: from, type: 'string' } : from;
const either = (...parts) => ({ anyOf: parts.map(schemaOf) });
const number = (minimum, maximum, type = 'number') => ({ minimum, maximum, type });
const text = (maxLength, type = 'string') => ({ maxLength, type });
const upTo = (maxItems, items) => ({ maxItems, type: 'array', items });
const list = (minItems, maxItems, items) => ({ minItems, ...upTo(maxItems, items) });
const record = (parts) => ({
  additionalProperties: false,
  type: 'object',
  required: Object.keys(parts).filter((key) => !key.endsWith('$')),
  properties: Object.fromEntries(Object.entries(parts).map(([key, value]) => [key.replace('$', ''), schemaOf(value)])),
});`;

/** The call that makes a value, key for key; null where no maker does. */
function callOf(value: Fields, write: Write): string | null {
  const { type, anyOf, minimum, maximum, maxLength, minItems, maxItems, items } = value;
  switch (Object.keys(value).join()) {
    case 'anyOf':
      return `either(${(anyOf as unknown[]).map((schema) => part(schema, write)).join()})`;
    case 'minimum,maximum,type':
      return `number(${[minimum, maximum, ...(type === 'number' ? [] : [type])].map(write).join()})`;
    case 'maxLength,type':
      return type === 'string' ? `text(${write(maxLength)})` : null;
    case 'maxItems,type,items':
      return type === 'array' ? `upTo(${[maxItems, items].map(write).join()})` : null;
    case 'minItems,maxItems,type,items':
      return type === 'array' ? `list(${[minItems, maxItems, items].map(write).join()})` : null;
    case 'additionalProperties,type,required,properties':
      return recordCall(value as unknown as RecordSchema, write);
    default:
      return null;
  }
}

interface RecordSchema {
  readonly additionalProperties: unknown;
  readonly type: unknown;
  readonly required: readonly string[];
  readonly properties: Fields;
}

/** null for what the maker would make otherwise: another type, an open record, or needed parts in another order. */
function recordCall(schema: RecordSchema, write: Write): string | null {
  const { additionalProperties, type, required, properties } = schema;
  const names = Object.keys(properties);
  const inOrder = names.filter((name) => required.includes(name));
  if (additionalProperties || type !== 'object' || inOrder.join() !== required.join()) return null;
  if (names.some((name) => name.includes('$'))) return null;
  const parts = names.map((name) => {
    const key = required.includes(name) ? name : `${name}$`;
    return `${JSON.stringify(key)}:${part(properties[name], write)}`;
  });
  return `record({${parts.join()}})`;
}

const part = (schema: unknown, write: Write): string => JSON.stringify(wordOf(schema)) ?? write(schema);

/** The word that a schema allows alone, or null where it allows only null; undefined for others. */
function wordOf(schema: unknown): string | null | undefined {
  if (!isObject(schema)) return undefined;
  const keys = Object.keys(schema).join();
  if (keys === 'type' && schema['type'] === 'null') return null;
  return keys === 'const,type' && schema['type'] === 'string' ? (schema['const'] as string) : undefined;
}
