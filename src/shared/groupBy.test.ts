import { expect, test } from 'vitest';
import { groupBy } from './groupBy.ts';

test('groups keep the order in which keys and items occur, also for a key that is undefined', () => {
  const groups = groupBy(['b1', 'a1', 'b2', '', 'a2'], (text) => text[0]);
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    [undefined, ['']],
  ]);
  expect(groupBy([], String).size).toBe(0);
});
