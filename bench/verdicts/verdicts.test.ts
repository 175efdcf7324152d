import { describe, expect, test } from 'vitest';
import { claimingReports, claimsIn } from './claims.ts';
import { equalArms, aaPlan, sessionPool, plantedShift } from './aaCampaigns.ts';

/** Three names, each with each: three comparisons; a family of three needs 7 pairs. */
const plan = aaPlan({ repeats: 9, seconds: 40, aaLabels: ['a', 'b', 'c'] });
const pool = sessionPool(plan, 9);
const say = () => undefined;

describe('plays with noise of their own', () => {
  test('differ from each other, and more between pairs than within one', () => {
    const ratesOf = (plays: (typeof pool)[number]) => plays.map(({ values }) => values['mean-bitrate']!);
    for (const plays of pool)
      expect(new Set(plays.map(({ playbackHash }) => playbackHash)).size).toBe(plays.length);
    const means = pool.map((plays) => ratesOf(plays).reduce((sum, each) => sum + each, 0) / plays.length);
    const within = pool.map((plays) => Math.max(...ratesOf(plays)) - Math.min(...ratesOf(plays)));
    expect(Math.min(...within)).toBeGreaterThan(0);
    expect(Math.max(...means) - Math.min(...means)).toBeGreaterThan(Math.min(...within));
  });

  test('are drawn once at most in a pair, and another way with another seed', () => {
    const { sessions } = equalArms(plan, pool, 1);
    expect(sessions.map(({ id }) => id)).toEqual(plan.sessions.map(({ id }) => id));
    const drawn = new Set(sessions.map(({ playbackHash, design }) => `${design.pair} ${playbackHash}`));
    expect(drawn.size).toBe(sessions.length);
    const hashesOf = (seed: number) =>
      equalArms(plan, pool, seed).sessions.map(({ playbackHash }) => playbackHash);
    expect(hashesOf(1)).toEqual(hashesOf(1));
    expect(hashesOf(2)).not.toEqual(hashesOf(1));
  });
});

test('of 200 whole reports of equal arms, with all their comparisons, at most 16 claim a difference', () => {
  const claiming = claimingReports({ repetitions: 200, say }, (seed) => equalArms(plan, pool, seed));
  expect(claiming).toBeLessThanOrEqual(16);
});

test('a difference that nobody could miss is claimed by all forms of a report', () => {
  const planted = { arm: 'c', shift: -0.5, deviation: 0.01, seed: 1 };
  expect(claimsIn(plantedShift(plan, pool, planted))).toEqual(['worse', 'worse']);
});
