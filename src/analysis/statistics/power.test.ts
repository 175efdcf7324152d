import { expect, test, describe, it } from 'vitest';
import { expectNear } from './golden.testing.ts';
import { seededNormals } from './random.ts';
import { pairsNeeded, power, minPairs, smallestHolmP, smallestWilcoxonP } from './power.ts';
import { signedRank } from './rankTests.ts';

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

/** By counting: the share of sign patterns whose rank sum is as far from the middle as that of all signs alike. */
function countedP(pairs: number): number {
  const max = (pairs * (pairs + 1)) / 2;
  let extreme = 0;
  for (let signs = 0; signs < 2 ** pairs; signs++) {
    let sum = 0;
    for (let rank = 1; rank <= pairs; rank++) if (signs & (1 << (rank - 1))) sum += rank;
    if (sum === max || sum === 0) extreme += 1;
  }
  return extreme / 2 ** pairs;
}

test.each([1, 2, 5, 8, 12])('the least p of %i pairs is what counting all signs gives', (pairs) => {
  expect(smallestWilcoxonP(pairs)).toBe(countedP(pairs));
});

test('five pairs cannot go below 0.0625, none cannot tell anything', () => {
  expect(smallestWilcoxonP(5)).toBe(0.0625);
  expect(smallestWilcoxonP(0)).toBe(1);
});

describe('the fewest pairs at alpha 0.05', () => {
  it.each([
    [1, 6],
    [6, 8],
    [12, 9],
    [18, 10],
    [30, 11],
  ])('%i comparisons need %i', (comparisons, pairs) => {
    expect(minPairs(comparisons, 0.05)).toBe(pairs);
    expect(smallestHolmP(pairs - 1, comparisons)).toBeGreaterThanOrEqual(0.05);
    expect(smallestHolmP(pairs, comparisons)).toBeLessThan(0.05);
  });

  it('must get below alpha: equal is not enough', () => {
    expect(minPairs(1, 0.0625)).toBe(6);
    expect(minPairs(1, 0.0626)).toBe(5);
  });
});
