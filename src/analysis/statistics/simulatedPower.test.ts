import { describe, expect, test } from 'vitest';
import {
  chanceToFind,
  detectableShift,
  normalCampaigns,
  normalDetectable,
  pairsNeeded,
  shiftedDifferences,
  shiftedRatios,
} from './simulatedPower.ts';
import { meanTest } from './meanIntervals.ts';
import { seededNormals } from './random.ts';
import { signedRank, signedRankLimit } from './rankTests.ts';

const ALPHA = 0.05;

test.each([6, 10, 23, 50, 60])(
  '%i pairs: the greatest rank sum is the last with a p below alpha',
  (pairs) => {
    // Ranks of one sign with this sum: from the greatest rank down, as long as they fit.
    const pOf = (sum: number): number => {
      let rest = sum;
      const signs = Array.from({ length: pairs }, (_, place) => pairs - place).map((rank) => {
        const isNegative = rank <= rest;
        if (isNegative) rest -= rank;
        return isNegative ? -rank : rank;
      });
      return signedRank(signs).p;
    };
    for (const alpha of [0.05, 0.05 / 6]) {
      const limit = signedRankLimit(pairs, alpha);
      if (limit >= 0) expect(pOf(limit)).toBeLessThan(alpha);
      expect(pOf(limit + 1)).toBeGreaterThanOrEqual(alpha);
    }
  },
);

describe('normal differences', () => {
  const draw = (deviation: number) => normalCampaigns(deviation, (residual) => residual, 7);

  test.each([10, 20, 40])('%i pairs: the chance is what the decision itself finds', (pairs) => {
    const shift = normalDetectable({ pairs, alpha: ALPHA })!;
    expect(Math.abs(chanceToFind(draw(1), shift, { pairs, alpha: ALPHA }) - 0.8)).toBeLessThan(0.04);
    const next = seededNormals(pairs);
    const found = Array.from({ length: 1000 }, (_, seed) => {
      const differences = next(pairs).map((normal) => shift + normal);
      const interval = meanTest(differences, { seed, resamples: 1000 }).interval(0.95);
      return signedRank(differences).p < ALPHA && interval !== null && interval[0] > 0;
    }).filter((isFound) => isFound).length;
    // Standard errors: 0.9 points of the simulated campaigns, 1.3 of these.
    expect(Math.abs(found / 1000 - 0.8)).toBeLessThan(0.05);
  });

  test('are found by chance only without a shift, and never by too few pairs', () => {
    expect(chanceToFind(draw(1), 0, { pairs: 20, alpha: ALPHA })).toBeLessThan(0.05);
    expect(chanceToFind(draw(1), 100, { pairs: 5, alpha: ALPHA })).toBe(0);
    expect(normalDetectable({ pairs: 7, alpha: ALPHA / 6 })).toBeNull();
    expect(chanceToFind(draw(1e-9), 1, { pairs: 8, alpha: ALPHA / 6 })).toBe(1);
  });

  test('beyond 200 pairs shrink what is found with the root of the pairs', () =>
    expect(normalDetectable({ pairs: 800, alpha: ALPHA })).toBeCloseTo(
      normalDetectable({ pairs: 200, alpha: ALPHA })! / 2,
      12,
    ));
});

describe("a campaign's own differences", () => {
  const differences = seededNormals(3)(30).map((normal) => 5 + 40 * normal);

  test('tell the same whatever their mean, and in their unit', () => {
    const [stated] = [detectableShift(differences, { pairs: 30, alpha: ALPHA })!];
    const moved = differences.map((each) => 3 * (each + 100));
    expect(detectableShift(moved, { pairs: 30, alpha: ALPHA })).toBeCloseTo(3 * stated, 6);
    // 0.53 standard deviations by the t test at 30 pairs.
    expect(stated / 40).toBeGreaterThan(0.38);
    expect(stated / 40).toBeLessThan(0.75);
  });

  test('a family of six finds less', () =>
    expect(detectableShift(differences, { pairs: 30, alpha: ALPHA / 6 })).toBeGreaterThan(
      1.1 * detectableShift(differences, { pairs: 30, alpha: ALPHA })!,
    ));

  test('need about the pairs of the t test for a small shift, and four times as many for half of it', () => {
    const needed = (shift: number) =>
      pairsNeeded(shiftedDifferences(differences), { shift, alpha: ALPHA, min: 6 })!;
    const deviation = Math.sqrt(
      differences.reduce((sum, each) => sum + (each - 5) ** 2, 0) / differences.length,
    );
    const theory = (2.8 * (deviation / 4)) ** 2;
    expect(needed(4) / theory).toBeGreaterThan(0.85);
    expect(needed(4) / theory).toBeLessThan(1.35);
    expect(needed(2) / needed(4)).toBeCloseTo(4, 0);
    expect(needed(400)).toBe(6);
    expect(pairsNeeded(shiftedDifferences(differences), { shift: 0, alpha: ALPHA, min: 6 })).toBeNull();
    expect(pairsNeeded(shiftedDifferences([2, 2, 2]), { shift: 1, alpha: ALPHA, min: 6 })).toBeNull();
  });

  test('ratios with small noise need as many pairs as their differences', () => {
    const logRatios = differences.map((each) => each / 2000);
    const seconds = differences.map(() => 2000);
    const byRatio = pairsNeeded(shiftedRatios(logRatios, seconds), {
      shift: 10 / 2000,
      alpha: ALPHA,
      min: 6,
    })!;
    const byUnit = pairsNeeded(shiftedDifferences(differences), { shift: 10, alpha: ALPHA, min: 6 })!;
    expect(Math.abs(byRatio / byUnit - 1)).toBeLessThan(0.2);
  });
});
