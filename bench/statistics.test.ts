import { describe, expect, test } from 'vitest';
import { seededRandom } from './page/seededRandom.ts';
import { bootstrap, differenceOfMeans, median, ratioOfMedians } from './statistics.ts';

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('median of %j is %f', (values, middle) => expect(median(values)).toBe(middle));

test('no values have no median', () => expect(() => median([])).toThrow('median of no values'));

describe('bootstrap', () => {
  const random = seededRandom(7);
  const pairs = Array.from({ length: 40 }, () => ({ base: 100 + random() * 20, other: 120 + random() * 24 }));

  test('a ratio of medians lies inside its interval, and the interval is near it', () => {
    const { value, interval } = bootstrap(pairs, ratioOfMedians);
    expect(value).toBeCloseTo(1.2, 1);
    expect(interval[0]).toBeLessThan(value);
    expect(interval[1]).toBeGreaterThan(value);
    expect(interval[1] - interval[0]).toBeLessThan(0.15);
  });

  test('equal pairs have an interval of no width', () => {
    const same = Array.from({ length: 9 }, () => ({ base: 2, other: 5 }));
    expect(bootstrap(same, differenceOfMeans)).toEqual({ value: 3, interval: [3, 3] });
  });

  test('the same pairs give the same interval', () =>
    expect(bootstrap(pairs, ratioOfMedians)).toEqual(bootstrap(pairs, ratioOfMedians)));
});
