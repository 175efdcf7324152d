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

test('equal parts are written once, and what is used once has no name', () => {
  expect(dataModule({ one: { a: [1] }, two: [{ a: [1] }, 'x', { b: [1] }] })).toContain(
    [
      'const data0 = [1];',
      'const data1 = {"a":data0};',
      'export const one = data1;',
      'export const two = [data1,"x",{"b":data0}];',
      '',
    ].join('\n'),
  );
});

const word = { const: 'a', type: 'string' };
const yesOrNo = { type: 'boolean' };
const record = { additionalProperties: false, type: 'object', required: ['k', 'b'] };

test.each<[string, object, string]>([
  ['a number', { minimum: 0, maximum: 9, type: 'number' }, 'number(0,9)'],
  ['a whole number', { minimum: 0, maximum: 9, type: 'integer' }, 'number(0,9,"integer")'],
  ['a text', { maxLength: 9, type: 'string' }, 'text(9)'],
  [
    'a word, null and more',
    { anyOf: [word, { type: 'null' }, yesOrNo] },
    'either("a",null,{"type":"boolean"})',
  ],
  ['a list', { minItems: 1, maxItems: 2, type: 'array', items: yesOrNo }, 'list(1,2,{"type":"boolean"})'],
  [
    'a record that may lack a part',
    { ...record, properties: { k: word, 'x-y': yesOrNo, b: { type: 'null' } } },
    'record({"k":"a","x-y$":{"type":"boolean"},"b":null})',
  ],
])('%s is made by a call, as it was, key for key', (_, schema, call) => {
  expect(JSON.stringify(made({ schema })['schema'])).toBe(JSON.stringify(schema));
  expect(dataModule({ schema })).toContain(` = ${call};`);
});

test.each<[string, object]>([
  ['a text with a pattern', { minLength: 1, maxLength: 9, pattern: '^a', type: 'string' }],
  ['a constant number', { const: 2, type: 'number' }],
  ['a length that is not of a text', { maxLength: 9, type: 'number' }],
  ['a list of another type', { minItems: 1, maxItems: 2, type: 'object', items: yesOrNo }],
  ['an open record', { ...record, additionalProperties: true, properties: { k: word, b: word } }],
  ['a record that needs its parts in another order', { ...record, properties: { b: word, k: word } }],
  ['a record with a $ in a name', { ...record, properties: { k: word, b: word, x$: word } }],
  ['a record that needs what it does not name', { ...record, properties: { k: word } }],
])('%s is written as it is', (_, schema) => {
  expect(JSON.stringify(made({ schema })['schema'])).toBe(JSON.stringify(schema));
});

test('there is no library in it', () => {
  expect(dataModule(sessionLog)).not.toMatch(/import|Symbol|typebox/i);
});
