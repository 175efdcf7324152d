import { BITS, FLOATS } from './doubleBits.ts';

/** ln 2 in two parts: the first has its last 32 bits 0, so that a whole number of it is exact (Cody and Waite). */
export const LN2_HIGH = 6.9314718036912381649e-1;
export const LN2_LOW = 1.90821492927058770002e-10;

/** 1 / (2 n + 1), the series of the inverse hyperbolic tangent. */
const ODD = Array.from({ length: 11 }, (_, n) => 1 / (2 * n + 1));

/**
 * The natural logarithm of a number above 0, out of operations that IEEE 754 fixes to the last bit. `Math.log` is left to the
 * engine (ECMA-262 §21.3.2), so a net would see other numbers in another browser. Within 2⁻⁵² of the true value, relative
 * to the larger of it and 1.
 */
export function ln(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x === Infinity ? Infinity : NaN;
  // Subnormal numbers have no exponent of their own.
  const isSmall = x < 2.2250738585072014e-308;
  FLOATS[0] = isSmall ? x * 2 ** 54 : x;
  let exponent = (BITS[1]! >>> 20) - 1023 - (isSmall ? 54 : 0);
  BITS[1] = (BITS[1]! & 0xfffff) | 0x3ff00000;
  let part = FLOATS[0]!;
  if (part > Math.SQRT2) {
    part /= 2;
    exponent += 1;
  }
  // ln m = 2 artanh((m − 1) / (m + 1)), and |s| ≤ 0.172: eleven terms end below 2⁻⁵⁵.
  const s = (part - 1) / (part + 1);
  const square = s * s;
  let sum = 0;
  for (let term = ODD.length - 1; term >= 0; term -= 1) sum = sum * square + ODD[term]!;
  return exponent * LN2_HIGH + (2 * s * sum + exponent * LN2_LOW);
}
