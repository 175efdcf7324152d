import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './schema/checkOf.ts';

export function partsOf(schema: Schema): Schema[] {
  const { anyOf = [], properties = {}, patternProperties = {}, items } = schema;
  const below = [...anyOf, ...Object.values({ ...properties }), ...Object.values(patternProperties)];
  return [schema, ...[...below, ...(items ? [items] : [])].flatMap(partsOf)];
}

/** Values that fit: the first that comes to mind, and beside it each other form of each part. */
export function samplesOf(schema: Schema): unknown[] {
  if ('const' in schema) return [schema.const];
  if (schema.anyOf) return schema.anyOf.flatMap(samplesOf);
  if (schema.type === 'array') return samplesOf(schema.items!).map((entry) => [entry]);
  if (schema.type !== 'object') return leavesOf(schema);
  const fields = Object.entries(schema.properties ?? { name: Object.values(schema.patternProperties!)[0]! });
  const choices = fields.map(([key, field]) => [key, samplesOf(field)] as const);
  const first = Object.fromEntries(choices.map(([key, [value]]) => [key, value]));
  return choices.flatMap(([key, values]) => values.map((value) => ({ ...first, [key]: value })));
}

function leavesOf({ type, minimum = -1, maximum = 1, minLength = 0, maxLength = 9 }: Schema): unknown[] {
  if (type === 'null') return [null];
  if (type === 'boolean') return [true, false];
  if (type === 'string') return ['x'.repeat(maxLength), 'x'.repeat(minLength)];
  return [minimum, maximum];
}

const WRONG: readonly unknown[] = [
  ...[undefined, null, true, '', 'a b', '<img onerror>', 'x'.repeat(81), 'x'.repeat(20_000), 'video', 'seek'],
  ...[-1, 0, 0.5, 600, 1e6, 1e12 + 1, 1e300, -1e300, Infinity, NaN, [], [null], {}, { more: 1 }],
  { 'two\nlines': {} },
  { ['x'.repeat(401)]: 1 },
];

/** All samples; the first is changed everywhere, each other where it is unlike the first. */
export function valuesAround(schema: Schema): unknown[] {
  const [first, ...others] = samplesOf(schema) as Fields[];
  return [first, ...mutationsOf(first), ...others.flatMap((other) => [other, ...mutationsOf(other, first)])];
}

type Fields = Readonly<Record<string, unknown>>;

/** The sample with each of its parts that is not `known`, and itself, replaced by something else; and with something more. */
function mutationsOf(sample: unknown, known?: unknown): unknown[] {
  if (typeof sample !== 'object' || sample === null) return sample === known ? [] : [...WRONG];
  const like = isSameKind(sample, known) ? (known as Fields) : {};
  if (Array.isArray(sample))
    return [...WRONG, [], ...mutationsOf(sample[0], like[0]).map((entry) => [sample[0], entry])];
  const parts = Object.entries(sample).filter(([key, value]) => !isDeepStrictEqual(like[key], value));
  const inside = parts.flatMap(([key, value]) =>
    mutationsOf(value, like[key]).map((other) => ({ ...sample, [key]: other })),
  );
  const without = parts.map(([name]) =>
    Object.fromEntries(Object.entries(sample).filter(([key]) => key !== name)),
  );
  return [...WRONG, ...inside, ...without, { ...sample, more: 1 }, { ...sample, toString: null }];
}

const isSameKind = (one: object, other: unknown): boolean =>
  typeof other === 'object' && other !== null && Array.isArray(one) === Array.isArray(other);
