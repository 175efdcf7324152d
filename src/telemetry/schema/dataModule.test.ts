import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { dataModule } from './dataModule.ts';
import * as sessionLog from './sessionLog.ts';

test('the page has the schemas of the session log, all of them and unchanged', () => {
  const exports = made(sessionLog);
  expect(JSON.stringify(exports)).toBe(JSON.stringify(sessionLog));
  expect(Object.keys(exports)).toContain('SessionEvent');
});

/** What the source of `exports` makes. */
function made(exports: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const context: Record<string, unknown> = {};
  runInNewContext(dataModule(exports).replaceAll('export const', 'var'), context);
  return context;
}

test('equal parts are written once', () => {
  expect(dataModule({ one: { a: [1] }, two: [{ a: [1] }, 'x'] })).toContain(
    [
      'const data0 = [1];',
      'const data1 = {"a":data0};',
      'const data2 = [data1,"x"];',
      'export const one = data1;',
      'export const two = data2;',
      '',
    ].join('\n'),
  );
});

test.each<[string, object]>([
  ['a number', { minimum: 0, maximum: 9, type: 'number' }],
  ['a whole number', { minimum: 0, maximum: 9, type: 'integer' }],
  ['a text', { maxLength: 9, type: 'string' }],
  ['a text with a pattern', { minLength: 1, maxLength: 9, pattern: '^a', type: 'string' }],
  [
    'words, null and more',
    { anyOf: [{ const: 'a', type: 'string' }, { type: 'null' }, { type: 'boolean' }] },
  ],
  ['a list', { minItems: 1, maxItems: 2, type: 'array', items: { type: 'null' } }],
  [
    'a record that needs its parts in another order',
    { additionalProperties: false, type: 'object', required: ['b', 'a'], properties: { a: {}, b: {} } },
  ],
  ['a constant number', { const: 2, type: 'number' }],
])('%s is made as it was, key for key', (_, schema) => {
  expect(JSON.stringify(made({ schema })['schema'])).toBe(JSON.stringify(schema));
});

test('a record is made as it was, with what it may lack', () => {
  const schema = {
    additionalProperties: false,
    type: 'object',
    required: ['kind', 'b'],
    properties: { kind: { const: 'a', type: 'string' }, 'x-y': { type: 'boolean' }, b: { type: 'null' } },
  };
  expect(JSON.stringify(made({ schema })['schema'])).toBe(JSON.stringify(schema));
});

test('there is no library in it', () => {
  expect(dataModule(sessionLog)).not.toMatch(/import|Symbol|typebox/i);
});
