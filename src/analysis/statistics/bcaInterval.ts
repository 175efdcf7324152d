import type { Interval } from '../bootstrap.ts';
import { normalQuantile } from './normalQuantile.ts';
import { normalTail } from './normalTail.ts';
import { quantile } from './quantile.ts';

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
