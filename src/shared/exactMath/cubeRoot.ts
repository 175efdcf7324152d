/**
 * The cube root of a number from 0 on, out of operations that IEEE 754 fixes to the last bit; `Math.cbrt` is left to the engine
 * (ECMA-262 §21.3.2). Newton's method on a number from 1 to 8. Within 2⁻⁵¹ of the true value, relative to it.
 */
export function cubeRoot(x: number): number {
  if (!(x > 0) || x === Infinity) return x >= 0 ? x : NaN;
  let part = x;
  let scale = 1;
  for (; part >= 8; part /= 8) scale *= 2;
  for (; part < 1; part *= 8) scale /= 2;
  // Off by 11 % at most; each step squares that.
  let root = 1 + (part - 1) / 7;
  for (let step = 0; step < 6; step += 1) root -= (root * root * root - part) / (3 * root * root);
  return root * scale;
}
