import type { TSchema } from '@sinclair/typebox';
import { Errors, type ValueErrorIterator } from '@sinclair/typebox/errors';
import { Check } from '@sinclair/typebox/value';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { exampleLog } from './exampleLog.ts';
import { checkOf } from './schema/checkOf.ts';
import type { Schema } from './schema/jsonSchema.ts';
import { SessionEvent, SessionHeader, SessionLog } from './schema/sessionLog.ts';

/** The keywords that `checkOf` honours, and those that change nothing. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'pattern', 'const'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  null: [],
  union: ['anyOf'],
};

const SCHEMAS: readonly (readonly [string, TSchema & Schema])[] = [
  ['header', SessionHeader],
  ...SessionEvent.anyOf.map((schema) => [schema.properties.kind.const, schema] as const),
];

test('the schema uses nothing that the check would pass over', () => {
  const unknown = partsOf(SessionLog as Schema).flatMap((part) =>
    Object.keys(part).filter(
      (keyword) =>
        !['type', '$id', 'title', ...(KEYWORDS[part.type ?? 'union'] ?? [])].includes(keyword) ||
        (part.type === 'object' && part.additionalProperties !== false) ||
        Object.keys(part.patternProperties ?? {}).length > 1,
    ),
  );
  expect(unknown).toEqual([]);
});

describe('refuses what TypeBox refuses, at a place that TypeBox names, and nothing else', () => {
  test.each(SCHEMAS)('%s', (_name, schema) => {
    const check = checkOf(schema);
    const seen = { fitting: 0, refused: 0 };
    for (const value of valuesAround(schema)) {
      const fault = check(value);
      const fits = Check(schema, value);
      if ((fault === null) !== fits) expect.fail(`${JSON.stringify(fault)} of ${JSON.stringify(value)}`);
      seen[fits ? 'fitting' : 'refused']++;
      if (fault && !placesOf(schema, value).includes(fault.path)) expect.fail(JSON.stringify(fault));
    }
    expect(seen.fitting).toBeGreaterThan(samplesOf(schema).length);
    expect(seen.refused).toBeGreaterThan(50);
  });

  test('the example log', () => {
    const { events, ...header } = exampleLog();
    expect(checkOf(SessionHeader)(header)).toBeNull();
    expect(events.map(checkOf(SessionEvent))).toEqual(events.map(() => null));
  });
});

describe('says what was wanted', () => {
  const told = SessionEvent.anyOf.find((schema) => schema.properties.kind.const === 'told')!;
  const tell = (what: unknown) => ({
    kind: 'told',
    id: 't1',
    atMs: 0,
    missing: {},
    mediaType: 'video',
    told: what,
  });
  test.each([
    ['a missing field', { kind: 'stall', atMs: 1 }, '/told/durationMs', 'a number from 0 to 31622400000'],
    ['a stray field', { kind: 'seek', atMs: 1, toMs: 1, x: 1 }, '/told/x', null],
    [
      'no kind that there is',
      { kind: 'x' },
      '/told/kind',
      '"download" or "stall" or "idle" or "seek" or "ladder" or "sizes"',
    ],
    ['no object', 7, '/told', 'an object'],
    ['an empty list', { kind: 'ladder', atMs: 1, ladder: [] }, '/told/ladder', 'a list of 1 to 1000 entries'],
    [
      'a fault deep inside',
      { kind: 'ladder', atMs: 1, ladder: [{ bitrateKbps: 1, width: 1.5, height: null }] },
      '/told/ladder/0/width',
      'a whole number from 0 to 100000 or null',
    ],
  ])('%s', (_what, value, path, wanted) =>
    expect(checkOf(told)(tell(value))).toMatchObject({ path, wanted }),
  );
});

function partsOf(schema: Schema): Schema[] {
  const { anyOf = [], properties = {}, patternProperties = {}, items } = schema;
  const below = [...anyOf, ...Object.values({ ...properties }), ...Object.values(patternProperties)];
  return [schema, ...[...below, ...(items ? [items] : [])].flatMap(partsOf)];
}

/** Values that fit: the first that comes to mind, and beside it each other form of each part. */
function samplesOf(schema: Schema): unknown[] {
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
function valuesAround(schema: Schema): unknown[] {
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

/** Every place that TypeBox finds fault with, below unions too. */
function placesOf(schema: TSchema, value: unknown): string[] {
  const within = (errors: ValueErrorIterator): string[] =>
    [...errors].flatMap((error) => [error.path, ...error.errors.flatMap(within)]);
  return within(Errors(schema, value));
}
