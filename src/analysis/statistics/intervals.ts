import { seededRandom } from './random.ts';
import { quantile } from './summaries.ts';
import { normalQuantile, normalTail } from './distributions.ts';

/** The ends of an interval. */
export type Interval = readonly [min: number, max: number];

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

/**
 * The bias-corrected and accelerated interval of a statistic (Efron 1987) from its value, its ascending values on
 * resamples and those with one item left out (jackknife). null where all resamples lie on one side of the value, or
 * leaving out makes no difference: the corrections do not exist then.
 */
export function bcaInterval(
  { value, resampled, leftOut }: { value: number; resampled: ArrayLike<number>; leftOut: readonly number[] },
  confidence: number,
): Interval | null {
  const bias = normalQuantile(shareBelow(resampled, value));
  const acceleration = accelerationOf(leftOut);
  if (!Number.isFinite(bias) || acceleration === null) return null;
  const end = (z: number): number => {
    const shifted = bias + (bias + z) / (1 - acceleration * (bias + z));
    return quantile(resampled, 1 - normalTail(shifted));
  };
  const z = normalQuantile((1 + confidence) / 2);
  return [end(-z), end(z)];
}

/** Ties counted half. */
function shareBelow(values: ArrayLike<number>, value: number): number {
  let doubled = 0;
  for (let index = 0; index < values.length; index++) {
    const each = values[index]!;
    doubled += each < value ? 2 : each === value ? 1 : 0;
  }
  return doubled / (2 * values.length);
}

function accelerationOf(leftOut: readonly number[]): number | null {
  const mean = leftOut.reduce((sum, value) => sum + value, 0) / leftOut.length;
  let squares = 0;
  let cubes = 0;
  for (const value of leftOut) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : null;
}

/** The ends of an interval then move by less than 1 % of its width from seed to seed. */
const BOOTSTRAP_RESAMPLES = 4000;

/**
 * A statistic of items with its 95 % percentile bootstrap interval (Efron 1979). The same items, statistic and seed give
 * the same interval. `items` must not be empty.
 */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
  seed = 1,
): { value: number; interval: Interval } {
  const random = seededRandom(seed);
  const resampled = Array.from({ length: BOOTSTRAP_RESAMPLES }, () =>
    statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).sort((a, b) => a - b);
  const at = (share: number): number => resampled[Math.round(share * (BOOTSTRAP_RESAMPLES - 1))]!;
  return { value: statistic(items), interval: [at(0.025), at(0.975)] };
}
