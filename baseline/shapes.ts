/** The part of JSON Schema that the schema of the session log uses. */
interface Schema {
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}
type Fields = Record<string, unknown>;

/** Count of the variants of each event: as many as the longest list of alternatives has, so that each of them occurs. */
const VARIANTS = 16;

/**
 * A session log in which every kind of event, every field and every word that a field may be occurs: simulated sessions
 * know few of them. Its numbers mean nothing. `schema` is the JSON Schema; the header
 * has every optional field, or none.
 */
export function logOfEveryShape(schema: string, header: 'whole' | 'least'): string {
  const { properties = {} } = JSON.parse(schema) as Schema;
  const { events, environment, design, ...rest } = properties;
  const at: At = { variant: header === 'whole' ? 0 : 1, place: 0, path: '' };
  const kinds = events?.items?.anyOf ?? [];
  const made = Array.from({ length: VARIANTS }, (_, variant) =>
    kinds.map((kind, at) => eventOf(kind, { variant, place: variant * kinds.length + at })),
  );
  const log = {
    ...(valueOf({ type: 'object', properties: rest, required: Object.keys(rest) }, at) as Fields),
    id: `synthetic-${header}`,
    environment: withReasons(valueOf(environment!, at) as Fields, 0),
    design: valueOf(design!, { ...at, path: 'design' }),
    events: made.flat(),
  };
  return `${JSON.stringify(log)}\n`;
}

interface At {
  readonly variant: number;
  /** Index of the event in the log; its time is 250 ms times the index. */
  readonly place: number;
  readonly path: string;
}

function eventOf(schema: Schema, { variant, place }: Omit<At, 'path'>): Fields {
  const event = valueOf(schema, { variant, place, path: '' }) as Fields;
  const kind = String(event['kind']);
  const ids = { id: `${kind}-${variant}`, atMs: place * 250 };
  // The log has one request of each variant, so the event refers to the request of its own variant.
  const reference = typeof event['requestId'] === 'string' ? { requestId: `request-${variant}` } : {};
  const input = typeof event['inputId'] === 'string' ? { inputId: `rule-input-${variant}` } : {};
  return withReasons({ ...event, ...ids, ...reference, ...input }, variant);
}

const REASONS = [
  'no-tao',
  'cached',
  'not-supported',
  'not-applicable',
  'aborted',
  'too-early',
  'not-reported',
];

function withReasons(fields: Fields, variant: number): Fields {
  const unknown = Object.keys(fields).filter((name) => fields[name] === null);
  const reasons = unknown.map((name, at) => [name, REASONS[(variant + at) % REASONS.length]] as const);
  return { ...fields, missing: Object.fromEntries(reasons) };
}

function valueOf(schema: Schema, at: At): unknown {
  if ('const' in schema) return schema.const;
  if (schema.anyOf) return valueOf(schema.anyOf[(at.variant + hashOf(at.path)) % schema.anyOf.length]!, at);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, at);
    case 'array':
      return [0, 1].map((entry) => valueOf(schema.items!, { ...at, variant: at.variant + entry }));
    case 'string':
      return textOf(at);
    case 'boolean':
      return (at.variant + hashOf(at.path)) % 2 === 0;
    case 'null':
      return null;
    default:
      return numberOf(schema, at);
  }
}

function objectOf({ properties, patternProperties, required = [] }: Schema, at: At): Fields {
  const below = (name: string): At => ({ ...at, path: `${at.path}/${name}` });
  if (!properties) {
    const [value] = Object.values(patternProperties ?? {});
    return value ? { made: valueOf(value, below('made')) } : {};
  }
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) || at.variant % 2 === 0)
      .map(([name, field]) => [name, valueOf(field, below(name))]),
  );
}

function textOf({ path, variant }: At): string {
  if (/url|uri/i.test(path)) return `https://origin.test/${variant}.mp4`;
  if (/protocol/i.test(path)) return ['http/1.1', 'h2', 'h3'][variant % 3]!;
  return path.endsWith('codecs') ? 'avc1.64001f' : `made-${variant}`;
}

function numberOf({ type, minimum = -1000, maximum = 1000 }: Schema, { path, variant }: At): number {
  const range = Math.min(maximum - minimum, 5000);
  const number = minimum + ((hashOf(`${path} ${variant}`) % 1000) / 1000) * range;
  return type === 'integer' ? Math.round(number) : Math.round(number * 8) / 8;
}

/** Returns the 32-bit FNV-1a hash of a text. */
const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
