import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hierarchicalBootstrap } from './hierarchical.ts';
import { bootstrap } from './intervals.ts';
import { seededNormals } from './random.ts';

interface Golden {
  readonly name: string;
  readonly groups: readonly (readonly number[])[];
  readonly mean: number;
  readonly interval: readonly [number, number];
  readonly betweenVariance: number;
  readonly withinVariance: number;
}

/** What statsmodels says; `golden/mixed_model.py` wrote it. */
const golden = JSON.parse(readFileSync(new URL('golden/mixed_model.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Golden[];
};

const DRAWS = { seed: 1, resamples: 10_000 };
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

test('with one value in each group it is the ordinary bootstrap, draw by draw', () => {
  const values = seededNormals(5)(12).map((each) => 3 + each ** 3);
  for (const seed of [1, 2, 9])
    expect(
      hierarchicalBootstrap(
        values.map((value) => [value]),
        0.95,
        { seed, resamples: 4000 },
      ),
    ).toEqual(bootstrap(values, meanOf, seed));
});

describe('a mixed model with a random intercept by group (statsmodels)', () => {
  test.each(golden.cases)('$name: the same mean', ({ groups, mean, interval }) => {
    const { value } = hierarchicalBootstrap(groups, 0.95, DRAWS);
    // With groups of one size both are the mean of means. With several sizes the model gives larger groups more weight.
    const isBalanced = new Set(groups.map(({ length }) => length)).size === 1;
    const tolerance = isBalanced ? 1e-6 : 0.05 * (interval[1] - interval[0]);
    expect(Math.abs(value - mean)).toBeLessThan(tolerance);
  });

  // The bootstrap lacks a part 1/groups of the variance, and has that within groups twice.
  test.each(golden.cases)('$name: ends within 15 % of the width', ({ groups, interval: [min, max] }) => {
    const { interval } = hierarchicalBootstrap(groups, 0.95, DRAWS);
    expect(Math.abs(interval[0] - min)).toBeLessThan(0.15 * (max - min));
    expect(Math.abs(interval[1] - max)).toBeLessThan(0.15 * (max - min));
  });
});

test('values that repeat within groups count as one', () => {
  const values = seededNormals(7)(10);
  const wide = hierarchicalBootstrap(
    values.map((value) => new Array<number>(20).fill(value)),
    0.95,
    DRAWS,
  ).interval;
  const naive = hierarchicalBootstrap(
    values.flatMap((value) => new Array<number>(20).fill(value)).map((value) => [value]),
    0.95,
    DRAWS,
  ).interval;
  // √20 as wide, within the noise of the draws.
  expect((wide[1] - wide[0]) / (naive[1] - naive[0])).toBeGreaterThan(4);
});

test('an empty group, and no group, are errors', () => {
  expect(() => hierarchicalBootstrap([], 0.95, DRAWS)).toThrow('no mean');
  expect(() => hierarchicalBootstrap([[1], []], 0.95, DRAWS)).toThrow('no mean');
});
