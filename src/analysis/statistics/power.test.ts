import { expect, test } from 'vitest';
import { expectNear } from './golden.testing.ts';
import { seededNormals } from './seededNormals.ts';
import { pairsNeeded, power } from './power.ts';
import { signedRank } from './signedRank.ts';

const planned = (deviation: number) => ({ shift: 3, deviation, alpha: 0.05 });

test.each([
  [3, 1],
  [5, 0.99],
  [8, 0.81],
  [10, 0.6],
  [15, 0.31],
])('a shift of 3 %% at a paired SD of %i %%, 60 pairs: found in %f', (deviation, expected) => {
  expect(Math.abs(power(planned(deviation), 60) - expected)).toBeLessThan(0.03);
  const next = seededNormals(deviation);
  const found = Array.from({ length: 600 }, () =>
    signedRank(next(60).map((each) => 3 + deviation * each)),
  ).filter(({ p }) => p < 0.05).length;
  expect(Math.abs(found / 600 - expected)).toBeLessThan(0.06);
});

test('from 20 pairs on the approximation is within 0.06 of what is found', () => {
  for (const [pairs, deviation] of [
    [20, 3],
    [20, 5],
    [30, 5],
    [40, 8],
  ] as const) {
    const next = seededNormals(pairs + deviation);
    const found = Array.from({ length: 1500 }, () =>
      signedRank(next(pairs).map((each) => 3 + deviation * each)),
    ).filter(({ p }) => p < 0.05).length;
    expect(Math.abs(power(planned(deviation), pairs) - found / 1500)).toBeLessThan(0.06);
  }
});

test('pairs needed are the fewest whose power is enough', () => {
  for (const deviation of [3, 8, 15]) {
    const pairs = pairsNeeded(planned(deviation), 0.8)!;
    expect(power(planned(deviation), pairs)).toBeGreaterThanOrEqual(0.8);
    expect(power(planned(deviation), pairs - 1)).toBeLessThan(0.8);
  }
  // π/3 × ((norm.ppf(0.975) + norm.ppf(0.8)) × 8 / 3)² = 58.45
  expect(pairsNeeded(planned(8))).toBe(59);
});

test('no shift is found by chance only, and by no number of pairs', () => {
  expectNear(power({ ...planned(8), shift: 0 }, 60), 0.05);
  expect(pairsNeeded({ ...planned(8), shift: 0 })).toBeNull();
});

test('without spread one pair shows it', () => {
  expect(pairsNeeded(planned(0))).toBe(1);
  expect(power(planned(0), 2)).toBe(1);
});
