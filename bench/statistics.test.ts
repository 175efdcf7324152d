import { expect, test } from 'vitest';
import { differenceOfMeans, median, ratioOfMedians } from './statistics.ts';

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('median of %j is %f', (values, middle) => expect(median(values)).toBe(middle));

test('no values have no median', () => expect(() => median([])).toThrow('median of no values'));

test('ratios and differences take the other by the base', () => {
  const pairs = [
    { base: 2, other: 6 },
    { base: 4, other: 8 },
    { base: 9, other: 10 },
  ];
  expect(ratioOfMedians(pairs)).toBe(2);
  expect(differenceOfMeans(pairs)).toBe(3);
});
