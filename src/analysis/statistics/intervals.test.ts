import { describe, expect, test } from 'vitest';
import { bcaInterval, bcaMeanInterval, bootstrap } from './intervals.ts';
import { expectNear, golden } from './golden.testing.ts';
import { seededRandom } from './random.ts';
import { quantile } from './summaries.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

describe(`SciPy ${golden.scipy}`, () => {
  test.each(golden.bootstrap)("$name: Efron's formulas on the same resamples", (is) => {
    const { differences: d, resamples } = is;
    const resampled = Float64Array.from({ length: resamples }, (_, b) =>
      mean(d.map((_, i) => d[(b * 7919 + i * 104729 + b * i * 31) % d.length]!)),
    ).sort();
    const leftOut = d.map((_, index) => mean(d.filter((_, other) => other !== index)));
    const bca = bcaInterval({ value: mean(d), resampled, leftOut }, 0.95)!;
    for (const end of [0, 1] as const) {
      expectNear(bca[end], is.bca[end]);
      expectNear(quantile(resampled, end === 0 ? 0.025 : 0.975), is.percentile[end]);
    }
  });

  test.each(golden.libraryBootstrap)(
    '$name: our resamples give the interval that stats.bootstrap gives, within its own noise',
    ({ differences, mean: expected, deviation }) => {
      const interval = bcaMeanInterval(differences, { seed: 1, resamples: 10_000 });
      for (const end of [0, 1] as const)
        expect(Math.abs(interval[end] - expected[end])).toBeLessThan(4 * deviation[end]);
    },
  );

  test('every fixture names its call and the version that made it', () => {
    const { wilcoxon, mannWhitney, bootstrap, libraryBootstrap, welch } = golden;
    for (const fixture of [...wilcoxon, ...mannWhitney, ...bootstrap, ...libraryBootstrap, ...welch])
      expect(fixture).toMatchObject({
        scipy: golden.scipy,
        call: expect.stringMatching(/\(|norm/) as string,
      });
  });
});

test.each([[[7]], [[7, 7, 7]], [[0, 0, 0, 0]]])('the BCa interval of %j has no width', (same) => {
  const [value] = same as [number];
  expect(bcaMeanInterval(same, { seed: 1, resamples: 100 })).toEqual([value, value]);
});

describe('bootstrap', () => {
  const random = seededRandom(7);
  const values = Array.from({ length: 400 }, () => random());

  test('a mean lies in its interval, which is as wide as the normal one', () => {
    const { value, interval } = bootstrap(values, mean);
    // Uniform in [0, 1): σ = 1/√12, so ± 1.96 σ / √400.
    const halfWidth = (1.96 * Math.sqrt(1 / 12)) / 20;
    expect(interval[0]).toBeLessThan(value);
    expect(interval[1]).toBeGreaterThan(value);
    expect((interval[1] - interval[0]) / (2 * halfWidth)).toBeCloseTo(1, 1);
  });

  test('equal items have an interval of no width', () =>
    expect(bootstrap([5, 5, 5], mean)).toEqual({ value: 5, interval: [5, 5] }));

  test('the same seed gives the same interval, another seed another one of the same value', () => {
    const one = bootstrap(values, mean);
    expect(bootstrap(values, mean)).toEqual(one);
    const other = bootstrap(values, mean, 2);
    expect(other.value).toBe(one.value);
    expect(other.interval).not.toEqual(one.interval);
  });
});
