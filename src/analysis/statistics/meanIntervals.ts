import { studentQuantile } from './distributions.ts';
import type { Interval } from './intervals.ts';
import { seededRandom } from './random.ts';
import { quantile } from './summaries.ts';

/** Random draws of a bootstrap, and of subsets where there are too many to take all. */
export interface Draws {
  readonly seed: number;
  readonly resamples: number;
  /** Number of resamples where a decision hangs on the draws. Absent: such a decision stays as it is. */
  readonly finer?: number;
}

/** Count, mean and standard deviation (with n − 1) of a sample. */
interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly deviation: number;
}

function momentsOf(values: ArrayLike<number>): Moments {
  const count = values.length;
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index]!;
  const mean = sum / count;
  let [squares, varies] = [0, false];
  for (let index = 0; index < count; index++) {
    squares += (values[index]! - mean) ** 2;
    varies ||= values[index] !== values[0];
  }
  // The mean of equal values may differ from them in the last digit.
  return varies
    ? { count, mean, deviation: Math.sqrt(squares / (count - 1)) }
    : { count, mean: values[0]!, deviation: 0 };
}

/** Student's interval of a mean: for normal values exact at any number (Student 1908). Needs two values. */
export function studentInterval(values: readonly number[], confidence: number): Interval {
  const { count, mean, deviation } = momentsOf(values);
  const half = (studentQuantile((1 + confidence) / 2, count - 1) * deviation) / Math.sqrt(count);
  return [mean - half, mean + half];
}

/**
 * Student's interval, corrected for skewness by Hall's monotone transformation of the t statistic (Hall 1992, "On the removal
 * of skewness by transformation", equation for g3), which completes Johnson's modified t (1978). Needs three values.
 */
export function skewedInterval(values: readonly number[], confidence: number): Interval {
  const { count, mean, deviation } = momentsOf(values);
  if (deviation === 0) return [mean, mean];
  const cubes = values.reduce((sum, each) => sum + (each - mean) ** 3, 0) / count;
  const skewness = cubes / deviation ** 3;
  const scale = deviation / Math.sqrt(count);
  const t = knownQuantile((1 + confidence) / 2, count - 1);
  return [
    mean - scale * untransformed(t, skewness, count),
    mean - scale * untransformed(-t, skewness, count),
  ];
}

/** Simulations ask for the same quantile of Student's table thousands of times, and it is found by bisection. */
const knownQuantiles = new Map<string, number>();

function knownQuantile(share: number, degrees: number): number {
  const key = `${share} ${degrees}`;
  const t = knownQuantiles.get(key) ?? studentQuantile(share, degrees);
  knownQuantiles.set(key, t);
  return t;
}

/** The inverse of g3. Near symmetry it is the identity, and its formula divides by the skewness. */
function untransformed(t: number, skewness: number, count: number): number {
  const a = skewness / Math.sqrt(count);
  if (Math.abs(a) < 1e-9) return t;
  return (3 / a) * (Math.cbrt(1 + a * (t - a / 6)) - 1);
}

/** What is known of the mean of a distribution from few values of it. */
export interface MeanTest {
  readonly value: number;
  /** Tells whether other draws could put a one-sided p on the other side of `level`: it lies within three standard errors. */
  hangsOnDraws(p: number, level: number): boolean;
  /** Makes the test with `Draws.finer` resamples; null where there are none. */
  readonly finer: (() => MeanTest) | null;
  /** Returns the interval of the mean; null where it has no end on one side: too few different values. */
  interval(confidence: number): Interval | null;
  /** One-sided p of "the true mean is `bound` or more": small where it is below. At least one over the draws. */
  pBelow(bound: number): number;
  /** One-sided p of "the true mean is `bound` or less": small where it is above. */
  pAbove(bound: number): number;
}

/**
 * Tests and intervals of a mean by bootstrap-t (Efron and Tibshirani 1993, §12.5 and §16.4): the t statistic of each
 * resample takes the place of Student's table. An interval has no end where too many resamples have no spread. Of one value
 * nothing is known; of several without spread the mean is taken for certain. @throws Error without values
 */
export function meanTest(values: readonly number[], draws: Draws): MeanTest {
  if (values.length === 0) throw new Error('no values, so no mean');
  const { count, mean, deviation } = momentsOf(values);
  const exact = { value: mean, hangsOnDraws: () => false, finer: null };
  if (count === 1) return { ...exact, interval: () => null, pBelow: () => 1, pAbove: () => 1 };
  if (deviation === 0) return { ...exact, ...certain(mean, draws) };
  const statistics = resampledT(values, mean, draws);
  const scale = deviation / Math.sqrt(count);
  const end = (share: number): number => {
    const t = quantile(statistics, share);
    // Between two infinite statistics there is no number.
    return mean - scale * (Number.isNaN(t) ? (share < 0.5 ? -Infinity : Infinity) : t);
  };
  const share = (isMember: (t: number) => boolean): number =>
    (statistics.reduce((members, t) => members + (isMember(t) ? 1 : 0), 0) + 1) / (statistics.length + 1);
  const { resamples, finer } = draws;
  return {
    value: mean,
    hangsOnDraws: (p, level) => (p - level) ** 2 * resamples <= 9 * p * (1 - p),
    finer: finer === undefined ? null : () => meanTest(values, { seed: draws.seed, resamples: finer }),
    interval(confidence) {
      const ends = [end((1 + confidence) / 2), end((1 - confidence) / 2)] as const;
      return ends.every(Number.isFinite) ? ends : null;
    },
    pBelow: (bound) => share((t) => t <= (mean - bound) / scale),
    pAbove: (bound) => share((t) => t >= (mean - bound) / scale),
  };
}

function certain(mean: number, { resamples }: Draws): Pick<MeanTest, 'interval' | 'pBelow' | 'pAbove'> {
  const p = (isSo: boolean): number => (isSo ? 1 / (resamples + 1) : 1);
  return {
    interval: () => [mean, mean],
    pBelow: (bound) => p(mean < bound),
    pAbove: (bound) => p(mean > bound),
  };
}

/** The t statistics of resamples about the mean of the sample, ascending; infinite where a resample has no spread. */
function resampledT(values: readonly number[], mean: number, { seed, resamples }: Draws): Float64Array {
  const random = seededRandom(seed);
  const count = values.length;
  const drawn = new Float64Array(count);
  const statistics = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    for (let place = 0; place < count; place++) drawn[place] = values[Math.floor(random() * count)]!;
    const resample = momentsOf(drawn);
    const distance = resample.mean - mean;
    // Without spread the statistic is infinite; where the mean is hit as well it is 0.
    statistics[index] =
      Math.abs(distance) <= Number.EPSILON * Math.abs(mean)
        ? 0
        : (distance * Math.sqrt(count)) / resample.deviation;
  }
  return statistics.sort();
}

/** The bootstrap-t interval of a mean as numbers: infinite where `meanTest` knows no end. */
export const bootstrapTInterval = (values: readonly number[], confidence: number, draws: Draws): Interval =>
  meanTest(values, draws).interval(confidence) ?? [-Infinity, Infinity];

/** So many values have at most 65,535 subsets: all of them are taken. */
const MAX_EXACT = 16;

/**
 * The means that a test by sign flips does not reject (Hartigan 1969, "Using subsample values as typical values"): the means
 * of all subsets divide the line into parts that hold the centre of a symmetric distribution with the same probability. Exact
 * for symmetric noise. Infinite ends where there are too few values for the confidence.
 */
export function signFlipInterval(
  values: readonly number[],
  confidence: number,
  { seed, resamples }: Draws,
): Interval {
  const means =
    values.length <= MAX_EXACT ? allSubsetMeans(values) : someSubsetMeans(values, { seed, resamples });
  means.sort();
  // The means divide the line into parts; the outer ones hold the rest of the confidence.
  const outer = Math.floor(((1 - confidence) / 2) * (means.length + 1));
  return outer < 1 ? [-Infinity, Infinity] : [means[outer - 1]!, means[means.length - outer]!];
}

/** Returns the means of all subsets but the empty one, in no order. */
function allSubsetMeans(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  const counts = new Uint8Array(sums.length);
  for (const [place, value] of values.entries()) {
    const size = 2 ** place;
    for (let subset = 0; subset < size; subset++) {
      sums[size + subset] = sums[subset]! + value;
      counts[size + subset] = counts[subset]! + 1;
    }
  }
  return sums.subarray(1).map((sum, index) => sum / counts[index + 1]!);
}

/** Returns the means of random subsets: each value is in or out with the same probability. */
function someSubsetMeans(values: readonly number[], { seed, resamples }: Draws): Float64Array {
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let index = 0; index < resamples;) {
    let sum = 0;
    let count = 0;
    for (const value of values)
      if (random() < 0.5) {
        sum += value;
        count += 1;
      }
    if (count > 0) means[index++] = sum / count;
  }
  return means;
}
