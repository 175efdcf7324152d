import { exp } from '../../shared/exactMath/exp.ts';

/** exp(x) / Σ exp(x) in place; the largest is taken off first, so that no exponent overflows. */
export function softmax(values: Float32Array): void {
  let max = -Infinity;
  for (const value of values) if (value > max) max = value;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) {
    values[index] = exp(values[index]! - max);
    sum += values[index]!;
  }
  for (let index = 0; index < values.length; index += 1) values[index]! /= sum;
}
