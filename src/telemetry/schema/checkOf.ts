import { isObject } from '../../shared/jsonObject.ts';

/**
 * JSON Schema, as much of it as the session log uses; `checkOf.test.ts` fails when the schema uses anything else.
 * Objects are closed: an unnamed property is a fault.
 */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** Where (a JSON pointer), what the schema wants there (null: nothing may be there), and what is there. */
export interface Fault {
  readonly path: string;
  readonly wanted: string | null;
  readonly value: unknown;
}

/** The first fault of a value, or null. */
export type Check = (value: unknown) => Fault | null;

/**
 * A validator that says what was wanted where. It interprets, because the page's Content-Security-Policy forbids code
 * made from strings; a general one (TypeBox' own) would add 7 kB to the page, brotli, and read slower. `checkOf.test.ts` holds it to TypeBox.
 */
export function checkOf(schema: Schema): Check {
  if (schema.anyOf) return union(schema);
  if (schema.type === 'array') return list(schema);
  if (schema.type === 'object') return schema.patternProperties ? dictionary(schema) : record(schema);
  return leafCheck(schema);
}

const checks = new WeakMap<Schema, Check>();

/** A value that does not fit is checked part by part: each part's check is made once. */
export function checkFor(schema: Schema): Check {
  const check = checks.get(schema) ?? checkOf(schema);
  checks.set(schema, check);
  return check;
}

function list({ items = {}, minItems = 0, maxItems = Infinity }: Schema): Check {
  const check = checkOf(items);
  const wanted = `a list of ${minItems} to ${maxItems} entries`;
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
      return { path: '', wanted, value };
    for (let index = 0; index < value.length; index++) {
      const fault = check(value[index]);
      if (fault) return below(index, fault);
    }
    return null;
  };
}

/** The order of the schema decides which fault is first: an event's `kind` is. */
function record({ properties = {}, required = [] }: Schema): Check {
  const fields = Object.entries(properties).map(([key, schema]) => ({
    key,
    check: checkOf(schema),
    isRequired: required.includes(key),
  }));
  const known = new Set(Object.keys(properties));
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object', value };
    for (const { key, check, isRequired } of fields) {
      const inner = value[key];
      const fault = inner !== undefined || isRequired ? check(inner) : null;
      if (fault) return below(key, fault);
    }
    // A script of the page may have added to Object.prototype.
    for (const key in value) if (!known.has(key) && Object.hasOwn(value, key)) return unwanted(key, value);
    return null;
  };
}

function dictionary({ patternProperties = {} }: Schema): Check {
  const [[pattern, schema] = ['', {}]] = Object.entries(patternProperties);
  const shape = new RegExp(pattern);
  const check = checkOf(schema);
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object', value };
    for (const key of Object.keys(value)) {
      if (!shape.test(key)) return unwanted(key, value);
      const fault = check(value[key]);
      if (fault) return below(key, fault);
    }
    return null;
  };
}

/** Among objects, the one whose `kind` fits tells what is wrong; else all that would have done are named. */
function union({ anyOf = [] }: Schema): Check {
  const checks = anyOf.map(checkOf);
  // Most unions are names or null, and nearly all values are right: what is wrong is gathered only where nothing fits.
  const single = new Set(
    anyOf.flatMap((each) => ('const' in each ? [each.const] : each.type === 'null' ? [null] : [])),
  );
  return (value) => {
    if (single.has(value)) return null;
    if (single.size < checks.length) for (const check of checks) if (!check(value)) return null;
    const faults = checks.flatMap((check) => check(value) ?? []);
    const inner = faults.find(({ path }) => path !== '' && path !== '/kind');
    const wanted = new Set(faults.map((fault) => fault.wanted));
    return inner ?? { path: '', value, ...faults[0], wanted: [...wanted].join(' or ') };
  };
}

const below = (key: string | number, fault: Fault): Fault => ({ ...fault, path: `/${key}${fault.path}` });

const unwanted = (key: string, parent: Readonly<Record<string, unknown>>): Fault => ({
  path: `/${key}`,
  wanted: null,
  value: parent[key],
});

/** The check of a single value: a constant, null, a boolean, a number or text. */
function leafCheck(schema: Schema): Check {
  if ('const' in schema) return fitting(JSON.stringify(schema.const), (value) => value === schema.const);
  if (schema.type === 'null') return fitting('null', (value) => value === null);
  if (schema.type === 'boolean') return fitting('true or false', (value) => typeof value === 'boolean');
  if (schema.type === 'number') return numeric('a number', schema, Number.isFinite);
  if (schema.type === 'integer') return numeric('a whole number', schema, Number.isInteger);
  if (schema.type === 'string') return text(schema);
  throw new Error(`No check for the schema ${JSON.stringify(schema)}.`);
}

function numeric(what: string, { minimum, maximum }: Schema, is: (value: unknown) => boolean): Check {
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : ` to ${maximum}`;
  const [min, max] = [minimum ?? -Infinity, maximum ?? Infinity];
  return fitting(
    what + from + to,
    (value) => is(value) && min <= (value as number) && (value as number) <= max,
  );
}

function text({ minLength = 0, maxLength = Infinity, pattern = '' }: Schema): Check {
  const shape = pattern ? new RegExp(pattern) : null;
  const wanted = `text of ${minLength} to ${maxLength} characters${shape ? ` that match ${pattern}` : ''}`;
  return fitting(
    wanted,
    (value) =>
      typeof value === 'string' &&
      minLength <= value.length &&
      value.length <= maxLength &&
      (!shape || shape.test(value)),
  );
}

function fitting(wanted: string, fits: (value: unknown) => boolean): Check {
  return (value) => (fits(value) ? null : { path: '', wanted, value });
}
