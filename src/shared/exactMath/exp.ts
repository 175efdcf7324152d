import { BITS, FLOATS } from './doubleBits.ts';
import { LN2_HIGH, LN2_LOW } from './ln.ts';

/** 1 / n!, as far as a remainder of ln 2 / 2 needs it for the last bit. */
const INVERSE_FACTORIALS: number[] = [1];
for (let n = 1; n <= 13; n += 1) INVERSE_FACTORIALS.push(INVERSE_FACTORIALS[n - 1]! / n);

/**
 * e to the power of x, out of operations that IEEE 754 fixes to the last bit (see `ln`). Above 709 it is Infinity and below
 * −708 it is 0: nets have no use for subnormal numbers.
 */
export function exp(x: number): number {
  if (!(x >= -708)) return x < -708 ? 0 : NaN;
  if (x > 709) return Infinity;
  const halves = Math.floor(x * Math.LOG2E + 0.5);
  const rest = x - halves * LN2_HIGH - halves * LN2_LOW;
  let sum = 0;
  for (let term = INVERSE_FACTORIALS.length - 1; term >= 0; term -= 1)
    sum = sum * rest + INVERSE_FACTORIALS[term]!;
  BITS[0] = 0;
  BITS[1] = (halves + 1023) << 20;
  return sum * FLOATS[0]!;
}
