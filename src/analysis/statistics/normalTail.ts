/** P(Z > z) of the standard normal distribution, to 1e-12 relative in both tails. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < SERIES_BELOW ? 0.5 - density(z) * series(z) : density(z) / fraction(z);
}

/** Below it the series loses less than three of a double's 16 digits to 0.5 − …; above it 100 levels are enough. */
const SERIES_BELOW = 3;

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** z + z³/3 + z⁵/(3·5) + …: all terms of one sign (Abramowitz and Stegun 26.2.11). */
function series(z: number): number {
  let sum = 0;
  for (let term = z, odd = 1; sum + term !== sum; odd += 2, term *= (z * z) / odd) sum += term;
  return sum;
}

/** z + 1/(z + 2/(z + 3/(z + …))) from its far end (Laplace; Abramowitz and Stegun 26.2.14). */
function fraction(z: number): number {
  let value = z;
  for (let level = 100; level > 0; level--) value = z + level / value;
  return value;
}
