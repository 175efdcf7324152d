import { expect, test, describe, it } from 'vitest';
import { minPairs, smallestHolmP, smallestWilcoxonP } from './power.ts';

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
