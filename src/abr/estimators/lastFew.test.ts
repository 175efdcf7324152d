import { expect, it } from 'vitest';
import { lastFew } from './lastFew.ts';

it.each([
  { before: [], size: 3, after: [9] },
  { before: [1, 2], size: 3, after: [1, 2, 9] },
  { before: [1, 2, 3], size: 3, after: [2, 3, 9] },
  { before: [1, 2, 3, 4, 5], size: 3, after: [4, 5, 9] },
  { before: [1], size: 1, after: [9] },
])('the last $size of $before and 9 are $after', ({ before, size, after }) => {
  const copy = [...before];
  expect(lastFew(before, size, 9)).toEqual(after);
  expect(before).toEqual(copy);
});
