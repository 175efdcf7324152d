import type { Check, Fault, Schema } from './jsonSchema.ts';
import { leafCheck } from './leafCheck.ts';

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
  const checks = new Map(Object.entries(properties).map(([key, schema]) => [key, checkOf(schema)]));
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object', value };
    for (const [key, check] of checks) {
      const fault = value[key] !== undefined || required.includes(key) ? check(value[key]) : null;
      if (fault) return below(key, fault);
    }
    const stray = Object.keys(value).find((key) => !checks.has(key));
    return stray === undefined ? null : unwanted(stray, value);
  };
}

function dictionary({ patternProperties = {} }: Schema): Check {
  const [[pattern, schema] = ['', {}]] = Object.entries(patternProperties);
  const shape = new RegExp(pattern);
  const check = checkOf(schema);
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object', value };
    for (const key in value) {
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
  return (value) => {
    const faults: Fault[] = [];
    for (const check of checks) {
      const fault = check(value);
      if (!fault) return null;
      faults.push(fault);
    }
    const inner = faults.find(({ path }) => path !== '' && path !== '/kind');
    const wanted = new Set(faults.map((fault) => fault.wanted));
    return inner ?? { path: '', value, ...faults[0], wanted: [...wanted].join(' or ') };
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const below = (key: string | number, fault: Fault): Fault => ({ ...fault, path: `/${key}${fault.path}` });

const unwanted = (key: string, parent: Readonly<Record<string, unknown>>): Fault => ({
  path: `/${key}`,
  wanted: null,
  value: parent[key],
});
