import type { Check, Schema } from './jsonSchema.ts';

/** The check of a single value: a constant, null, a boolean, a number or text. */
export function leafCheck(schema: Schema): Check {
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
