import type { TSchema } from '@sinclair/typebox';
import { Errors, type ValueErrorIterator } from '@sinclair/typebox/errors';
import { Check } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import { exampleLog } from './exampleLog.testing.ts';
import { checkOf, type Schema } from './schema/checkOf.ts';
import { SessionEvent, SessionHeader, SessionLog } from './schema/sessionLog.ts';
import { partsOf, samplesOf, valuesAround } from './schemaValues.testing.ts';

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
  const input = SessionEvent.anyOf.find((schema) => schema.properties.kind.const === 'rule-input')!;
  const tell = (what: unknown) => ({
    kind: 'rule-input',
    id: 't1',
    atMs: 0,
    missing: {},
    mediaType: 'video',
    input: what,
  });
  test.each([
    ['a missing field', { kind: 'stall', atMs: 1 }, '/input/durationMs', 'a number from 0 to 31622400000'],
    ['a stray field', { kind: 'seek', atMs: 1, toMs: 1, x: 1 }, '/input/x', null],
    [
      'no kind that there is',
      { kind: 'x' },
      '/input/kind',
      '"download" or "stall" or "idle" or "seek" or "ladder" or "sizes"',
    ],
    ['no object', 7, '/input', 'an object'],
    [
      'an empty list',
      { kind: 'ladder', atMs: 1, ladder: [] },
      '/input/ladder',
      'a list of 1 to 1000 entries',
    ],
    [
      'a fault deep inside',
      { kind: 'ladder', atMs: 1, ladder: [{ bitrateKbps: 1, width: 1.5, height: null }] },
      '/input/ladder/0/width',
      'a whole number from 0 to 100000 or null',
    ],
  ])('%s', (_what, value, path, wanted) =>
    expect(checkOf(input)(tell(value))).toMatchObject({ path, wanted }),
  );
});

/** Every place that TypeBox finds fault with, below unions too. */
function placesOf(schema: TSchema, value: unknown): string[] {
  const within = (errors: ValueErrorIterator): string[] =>
    [...errors].flatMap((error) => [error.path, ...error.errors.flatMap(within)]);
  return within(Errors(schema, value));
}
