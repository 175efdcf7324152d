import { expect, test } from 'vitest';
import { actionOf, KEYS } from './keyboard.ts';

test.each([
  [' ', { kind: 'toggle' }],
  ['K', { kind: 'toggle' }],
  ['ArrowLeft', { kind: 'seek', byMs: -5000 }],
  ['l', { kind: 'seek', byMs: 10_000 }],
  ['[', { kind: 'decision', step: -1 }],
  [']', { kind: 'decision', step: 1 }],
  ['?', { kind: 'help' }],
  ['Tab', null],
  ['x', null],
])('%s does %j', (key, action) => expect(actionOf(key)).toEqual(action));

test('no key is listed twice', () => {
  const all = KEYS.flatMap(({ keys }) => keys);
  expect(new Set(all).size).toBe(all.length);
});
