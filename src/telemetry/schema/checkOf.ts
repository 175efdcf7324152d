import { isObject } from '../../shared/jsonObject.ts';
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
  const fields = Object.entries(properties).map(([key, schema]) => ({
    ...{ key, check: checkOf(schema), isRequired: required.includes(key) },
  }));
  const known = new Set(Object.keys(properties));
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object', value };
    for (const { key, check, isRequired } of fields) {
      const inner = value[key];
      const fault = inner !== undefined || isRequired ? check(inner) : null;
      if (fault) return below(key, fault);
    }
    for (const key in value) if (!known.has(key)) return unwanted(key, value);
    return null;
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
