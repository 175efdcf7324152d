import type { Interval } from '../bootstrap.ts';
import { seededRandom } from '../seededRandom.ts';
import { bcaInterval } from './bcaInterval.ts';
import { quantile } from './quantile.ts';

/** What a difference between two arms is, and how sure that is. */
export interface DifferenceInterval {
  readonly statistic: 'mean' | 'median';
  readonly value: number;
  readonly interval: Interval;
  /** Mean: BCa, as stalls are skewed. Median, and a mean without spread: percentile, as the jackknife fails there. */
  readonly method: 'bca' | 'percentile';
  readonly resamples: number;
  readonly seed: number;
}

const CONFIDENCE = 0.95;
/** Efron and Tibshirani (1993, §14.3) ask for 2,000 at least; ends then move by some 1 % of the width with the seed. */
const RESAMPLES = 10_000;

/** The paired bootstrap: whole pairs are drawn, so what the network did to both arms of one cancels. */
export function differenceInterval(
  differences: readonly number[],
  statistic: DifferenceInterval['statistic'] = 'mean',
  { seed = 1, resamples = RESAMPLES }: { seed?: number; resamples?: number } = {},
): DifferenceInterval {
  if (differences.length === 0) throw new Error('no pairs, so no difference');
  const of = statistic === 'mean' ? mean : median;
  const value = of(differences);
  const resampled = resample(differences, of, { seed, resamples });
  const bca =
    statistic === 'mean'
      ? bcaInterval({ value, resampled, leftOut: leftOut(differences) }, CONFIDENCE)
      : null;
  const interval = bca ?? [
    quantile(resampled, (1 - CONFIDENCE) / 2),
    quantile(resampled, (1 + CONFIDENCE) / 2),
  ];
  return { statistic, value, interval, method: bca ? 'bca' : 'percentile', resamples, seed };
}

function resample(
  values: readonly number[],
  of: (values: ArrayLike<number>) => number,
  { seed, resamples }: { seed: number; resamples: number },
): Float64Array {
  const random = seededRandom(seed);
  const drawn = new Float64Array(values.length);
  return Float64Array.from({ length: resamples }, () => {
    for (let index = 0; index < drawn.length; index++)
      drawn[index] = values[Math.floor(random() * values.length)]!;
    return of(drawn);
  }).sort();
}

const leftOut = (values: readonly number[]): number[] => {
  const sum = mean(values) * values.length;
  return values.map((value) => (sum - value) / (values.length - 1));
};

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return sum / values.length;
}

const median = (values: ArrayLike<number>): number => quantile(Float64Array.from(values).sort(), 0.5);
