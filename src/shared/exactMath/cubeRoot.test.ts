import { expect, test } from 'vitest';
import { cubeRoot } from './cubeRoot.ts';

test('is the cube root to the last bits', () => {
  for (let exponent = -300; exponent <= 300; exponent += 0.07) {
    const x = 10 ** exponent;
    expect(Math.abs(cubeRoot(x) / Math.cbrt(x) - 1)).toBeLessThanOrEqual(2 ** -51);
  }
});

test('is exact where the root is, and says what has none', () => {
  expect([0, 1, 8, 27, 0.125, 1e-9, Infinity].map(cubeRoot)).toEqual([0, 1, 2, 3, 0.5, 1e-3, Infinity]);
  expect([-1, NaN].map(cubeRoot)).toEqual([NaN, NaN]);
});
