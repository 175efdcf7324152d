/**
 * The exports of a module as the source of another that only holds their data, each different object once. The build
 * of the page replaces `sessionLog.ts` by it, so that the page reads sessions by the same schemas without the library
 * that makes them.
 */
export function dataModule(exports: Readonly<Record<string, unknown>>): string {
  const names = new Map<string, string>();
  const write = (value: unknown): string => {
    if (!isObject(value)) return JSON.stringify(value);
    const written = (Array.isArray(value) ? null : callOf(value, write)) ?? literal(value, write);
    const name = names.get(written) ?? `data${names.size}`;
    names.set(written, name);
    return name;
  };
  // Parts are named before their wholes, so that every name stands above its use.
  const exported = Object.entries(exports).map(([name, value]) => `export const ${name} = ${write(value)};`);
  const shared = [...names].map(([written, name]) => `const ${name} = ${written};`);
  return [MAKERS, ...shared, ...exported, ''].join('\n');
}

/** The source of a value. */
type Write = (value: unknown) => string;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const literal = (value: Fields, write: Write): string =>
  Array.isArray(value)
    ? `[${value.map(write).join()}]`
    : `{${Object.entries(value)
        .map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`)
        .join()}}`;

/**
 * Makers of the shapes that most schemas have. A call of one is half as long as the object that it makes, which is 0.4 kB less
 * to download. A part that is one word, or null, is written as such.
 */
const MAKERS = `
const part = (from) => from === null ? { type: 'null' } : from.trim ? { const: from, type: 'string' } : from;
const either = (...parts) => ({ anyOf: parts.map(part) });
const number = (minimum, maximum, type = 'number') => ({ minimum, maximum, type });
const text = (maxLength, type = 'string') => ({ maxLength, type });
const list = (minItems, maxItems, items) => ({ minItems, maxItems, type: 'array', items });
const record = (parts, ...optional) => ({
  additionalProperties: false,
  type: 'object',
  required: Object.keys(parts).filter((key) => !optional.includes(key)),
  properties: Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, part(value)])),
});`;

/** The call that makes a schema, key for key; null where no maker does. */
function callOf(schema: Fields, write: Write): string | null {
  const { type, anyOf, minimum, maximum, maxLength, minItems, maxItems, items, properties, required } =
    schema;
  const part = (from: unknown): string => JSON.stringify(wordOf(from)) ?? write(from);
  switch (Object.keys(schema).join()) {
    case 'anyOf':
      return `either(${(anyOf as unknown[]).map(part).join()})`;
    case 'minimum,maximum,type':
      return `number(${[minimum, maximum, ...(type === 'number' ? [] : [type])].map(write).join()})`;
    case 'maxLength,type':
      return type === 'string' ? `text(${write(maxLength)})` : null;
    case 'minItems,maxItems,type,items':
      return `list(${[minItems, maxItems, items].map(write).join()})`;
    case 'additionalProperties,type,required,properties': {
      const parts = Object.entries(properties as Fields);
      const [needed, optional] = split(Object.keys(properties as Fields), required as string[]);
      if (needed.join() !== (required as string[]).join()) return null;
      const written = parts.map(([key, value]) => `${JSON.stringify(key)}:${part(value)}`);
      return `record(${[`{${written.join()}}`, ...optional.map(write)].join()})`;
    }
    default:
      return null;
  }
}

/** The names among `some`, and the others. */
const split = (names: readonly string[], some: readonly string[]): [string[], string[]] => [
  names.filter((name) => some.includes(name)),
  names.filter((name) => !some.includes(name)),
];

/** The word that a schema allows alone, or null where it allows only null; undefined for others. */
function wordOf(schema: unknown): string | null | undefined {
  if (!isObject(schema)) return undefined;
  const keys = Object.keys(schema).join();
  if (keys === 'type' && schema['type'] === 'null') return null;
  return keys === 'const,type' && schema['type'] === 'string' ? (schema['const'] as string) : undefined;
}
