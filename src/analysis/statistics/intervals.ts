import { seededRandom } from './random.ts';
import { mean, quantile } from './summaries.ts';
import { normalQuantile, normalTail } from './distributions.ts';

/** The ends of an interval. */
export type Interval = readonly [min: number, max: number];

/**
 * The BCa interval of a mean at 95 % (Efron 1987), by resampling; the percentile interval where its corrections do not exist.
 * Too narrow for few values, which `bench -- verdicts --only coverage` measures: verdicts use `meanTest`.
 */
export function bcaMeanInterval(
  values: readonly number[],
  { seed, resamples }: { seed: number; resamples: number },
): Interval {
  const value = mean(values);
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: resamples }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)]!)),
  ).sort();
  const leftOut = values.map((each) => value + (value - each) / (values.length - 1));
  return (
    bcaInterval({ value, resampled: means, leftOut }, CONFIDENCE) ?? [
      quantile(means, (1 - CONFIDENCE) / 2),
      quantile(means, (1 + CONFIDENCE) / 2),
    ]
  );
}

const CONFIDENCE = 0.95;
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
