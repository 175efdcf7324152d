import { describe, expect, it } from 'vitest';
import { exp } from './exp.ts';
import { ln } from './ln.ts';

/** Numbers from 1e-300 to 1e300 and close to 1, evenly in their logarithm. */
const numbers = [
  ...Array.from({ length: 4001 }, (_, index) => 10 ** ((index - 2000) * 0.15)),
  ...Array.from({ length: 2001 }, (_, index) => 1 + (index - 1000) / 1500),
  Math.SQRT2,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
];

describe('ln', () => {
  it('is the logarithm to the last bit or two', () => {
    for (const x of numbers) {
      const wanted = Math.log(x);
      expect(Math.abs(ln(x) - wanted)).toBeLessThanOrEqual(2.3e-16 * Math.max(1, Math.abs(wanted)));
    }
  });

  it('is exact where the logarithm is, and says what has none', () => {
    expect([1, 0, Infinity, -1, NaN].map(ln)).toEqual([0, -Infinity, Infinity, NaN, NaN]);
    expect(ln(2)).toBe(Math.LN2);
  });
});

describe('exp', () => {
  it('is the exponential to the last bits', () => {
    for (let x = -708; x <= 709; x += 0.173) {
      const wanted = Math.exp(x);
      expect(Math.abs(exp(x) - wanted)).toBeLessThanOrEqual(6e-16 * wanted);
    }
  });

  it('goes to 0 and to Infinity at its ends', () => {
    expect([0, -1000, 710, -Infinity, Infinity, NaN].map(exp)).toEqual([1, 0, Infinity, 0, Infinity, NaN]);
  });

  it('gives back what ln took', () => {
    for (const x of numbers.filter((each) => each > 1e-300 && each < 1e300))
      expect(Math.abs(exp(ln(x)) / x - 1)).toBeLessThan(2e-13);
  });
});
