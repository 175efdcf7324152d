import { expect, it } from 'vitest';
import { pickedRule } from './pickedRule.ts';
import { formatRule } from './formatRule.ts';

it.each([
  ['dashjs-bola', { bufferTimeDefaultS: 20 }, 'dashjs-bola'],
  ['fixed', { rung: 0 }, 'fixed'],
  ['fixed', { rung: 3 }, 'fixed:rung=3'],
  ['fixed', null, 'fixed'],
  ['not-there', { a: 1 }, 'not-there'],
])('%s with %j was asked for as %s', (id, parameters, text) => {
  expect(formatRule(id, parameters)).toBe(text);
});

it('leads back to the same parameters', () => {
  const picked = pickedRule(formatRule('fixed', { rung: 2 }));
  expect(picked.ok && picked.value.rule?.parameters).toEqual({ rung: 2 });
});
