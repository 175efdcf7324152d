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
  const ascending = Float64Array.from(differences).sort();
  const { of, resampledBy } = STATISTICS[statistic];
  const value = of(ascending);
  const resampled = resampledBy(ascending, { seed, resamples });
  const leftOut = Array.from(ascending, (each) => value + (value - each) / (ascending.length - 1));
  const bca = statistic === 'mean' ? bcaInterval({ value, resampled, leftOut }, CONFIDENCE) : null;
  const interval = bca ?? [
    quantile(resampled, (1 - CONFIDENCE) / 2),
    quantile(resampled, (1 + CONFIDENCE) / 2),
  ];
  return { statistic, value, interval, method: bca ? 'bca' : 'percentile', resamples, seed };
}

interface Draws {
  readonly seed: number;
  readonly resamples: number;
}

function resampledMeans(values: Float64Array, { seed, resamples }: Draws): Float64Array {
  const random = seededRandom(seed);
  const count = values.length;
  const means = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    let total = 0;
    for (let draw = 0; draw < count; draw++) total += values[Math.floor(random() * count)]!;
    means[index] = total / count;
  }
  return means.sort();
}

/** Counts how often each value was drawn: so no resample needs sorting. */
function resampledMedians(ascending: Float64Array, { seed, resamples }: Draws): Float64Array {
  const random = seededRandom(seed);
  const times = new Uint32Array(ascending.length);
  const medians = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    times.fill(0);
    for (let draw = 0; draw < times.length; draw++) times[Math.floor(random() * times.length)]! += 1;
    medians[index] = medianOfDrawn(ascending, times);
  }
  return medians.sort();
}

/** Of ascending values, each as often as it was drawn. */
function medianOfDrawn(ascending: Float64Array, times: Uint32Array): number {
  const middle = (times.length - 1) / 2;
  return (drawnAt(Math.floor(middle), ascending, times) + drawnAt(Math.ceil(middle), ascending, times)) / 2;
}

/** The value at a place, from 0 on, among all that were drawn in ascending order. */
function drawnAt(place: number, ascending: Float64Array, times: Uint32Array): number {
  let index = 0;
  for (let drawn = times[0]!; drawn <= place; drawn += times[index]!) index += 1;
  return ascending[index]!;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

const STATISTICS = {
  mean: { of: (values: Float64Array) => sum(values) / values.length, resampledBy: resampledMeans },
  median: {
    of: (ascending: Float64Array) => medianOfDrawn(ascending, new Uint32Array(ascending.length).fill(1)),
    resampledBy: resampledMedians,
  },
};
