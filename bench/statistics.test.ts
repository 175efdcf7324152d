import { expect, test } from 'vitest';
import { differenceOfMeans, median, ratioOfMedians, spread } from './statistics.ts';

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

const text = (value: number): string => value.toFixed(1);

test.each([
  [[], 'none'],
  [[2], '2.0'],
  [[3, 1, 2], '2.0 (1.0 to 3.0)'],
])('%j', (values, wanted) => expect(spread(values, text)).toBe(wanted));
