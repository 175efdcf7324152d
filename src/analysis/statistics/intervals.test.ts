import { describe, expect, test } from 'vitest';
import { bcaInterval, bootstrap, differenceInterval } from './intervals.ts';
import { expectNear, golden } from './golden.testing.ts';
import { seededNormals, seededRandom } from './random.ts';
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
      const { interval, method } = differenceInterval(differences);
      expect(method).toBe('bca');
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

describe('the interval of a difference', () => {
  const differences = seededNormals(4)(36).map((each) => 200 + 50 * each);

  test('of the mean is as wide as the normal one, of the median wider', () => {
    const ofMean = differenceInterval(differences);
    const deviation = Math.sqrt(mean(differences.map((each) => (each - mean(differences)) ** 2)));
    const width = ofMean.interval[1] - ofMean.interval[0];
    expect(width / ((2 * 1.96 * deviation) / 6)).toBeCloseTo(1, 1);
    const ofMedian = differenceInterval(differences, 'median');
    expect(ofMedian).toMatchObject({ statistic: 'median', method: 'percentile' });
    expect(ofMedian.interval[1] - ofMedian.interval[0]).toBeGreaterThan(width);
  });

  test('of the median takes the middle, of an even number the mean of the two', () => {
    expect(differenceInterval([5, 1, 100], 'median').value).toBe(5);
    expect(differenceInterval([5, 1, 100, 6], 'median').value).toBe(5.5);
    // Three values: the median of a resample is the least in 7 of 27, so the interval reaches both ends.
    expect(differenceInterval([5, 1, 100], 'median').interval).toEqual([1, 100]);
  });

  test('mirrors itself when arms are swapped, but for the noise of the draws', () => {
    const { interval: there } = differenceInterval(differences);
    const { interval: back } = differenceInterval(differences.map((each) => -each));
    const width = there[1] - there[0];
    expect(Math.abs(there[0] + back[1]) / width).toBeLessThan(0.05);
    expect(Math.abs(there[1] + back[0]) / width).toBeLessThan(0.05);
  });

  test('is the same with the same seed and says which that was', () => {
    expect(differenceInterval(differences)).toEqual(differenceInterval(differences));
    const other = differenceInterval(differences, 'mean', { seed: 2 });
    expect(other).toMatchObject({ seed: 2, resamples: 10_000 });
    expect(other.interval).not.toEqual(differenceInterval(differences).interval);
  });

  test.each([[[7]], [[7, 7, 7]], [[0, 0, 0, 0]]])('has no width where %j do not vary', (same) => {
    const value = same[0]!;
    expect(differenceInterval(same)).toMatchObject({ value, interval: [value, value], method: 'percentile' });
  });

  test('leans to where skewed values are, and covers their mean', () => {
    // Exponential with mean 1: BCa reaches farther above than below (Efron and Tibshirani 1993, §14.3).
    const next = seededNormals(9);
    const covered = Array.from({ length: 200 }, (_, seed) => {
      const [first, second] = [next(40), next(40)];
      const values = first.map((each, index) => (each ** 2 + second[index]! ** 2) / 2);
      const { value, interval } = differenceInterval(values, 'mean', { seed, resamples: 500 });
      return { isIn: interval[0] <= 1 && interval[1] >= 1, lean: interval[1] + interval[0] - 2 * value };
    });
    expect(mean(covered.map(({ lean }) => lean))).toBeGreaterThan(0.02);
    expect(covered.filter(({ isIn }) => isIn).length / 200).toBeGreaterThan(0.85);
  });

  test('does not exist without pairs', () => expect(() => differenceInterval([])).toThrow('no pairs'));
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
