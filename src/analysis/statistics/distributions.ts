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

/** The z below which a share of the standard normal distribution lies; ∓Infinity for 0 and 1. */
export function normalQuantile(share: number): number {
  if (!(share >= 0 && share <= 1)) throw new Error(`share is ${share}; it must be between 0 and 1`);
  if (share === 0 || share === 1) return share === 0 ? -Infinity : Infinity;
  return share < 0.5 ? -fromTail(share) : fromTail(1 - share);
}

/**
 * Newton's steps on the logarithm of the tail, which is concave: from above the root they stay above it. They begin above,
 * since P(Z > z) ≤ e^(−z²/2) / 2.
 */
function fromTail(tail: number): number {
  let z = Math.sqrt(Math.max(0, -2 * Math.log(2 * tail)));
  for (let step = 0; step < 50; step++) {
    const here = normalTail(z);
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const change = (Math.log(here / tail) * here) / density;
    z += change;
    if (Math.abs(change) <= 1e-15 * Math.abs(z)) break;
  }
  return z;
}

/**
 * P(T > t) of Student's distribution, to 1e-10 relative in both tails: half the regularised incomplete beta function
 * I_x(ν/2, 1/2) at x = ν/(ν + t²) (Abramowitz and Stegun 26.7.1). `degrees` may be a fraction, as Welch's are.
 */
export function studentTail(t: number, degrees: number): number {
  if (!(degrees > 0)) throw new Error(`degrees of freedom are ${degrees}; they must be above 0`);
  if (t < 0) return 1 - studentTail(-t, degrees);
  return incompleteBeta(t * t, degrees) / 2;
}

/** The t below which a share of Student's distribution lies; ∓Infinity for 0 and 1. By bisection, to the last digits. */
export function studentQuantile(share: number, degrees: number): number {
  if (!(share >= 0 && share <= 1)) throw new Error(`share is ${share}; it must be between 0 and 1`);
  if (share === 0 || share === 1) return share === 0 ? -Infinity : Infinity;
  return share < 0.5 ? -fromStudentTail(share, degrees) : fromStudentTail(1 - share, degrees);
}

/** The t ≥ 0 above which so much of the distribution lies, at most a half. */
function fromStudentTail(tail: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (studentTail(high, degrees) > tail) [low, high] = [high, 2 * high];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2)
    if (studentTail(middle, degrees) > tail) low = middle;
    else high = middle;
  return low;
}

/** I_x(ν/2, 1/2) at x = ν/(ν + t²); 1 − x is computed by itself, as it may be tiny. */
function incompleteBeta(tSquared: number, degrees: number): number {
  const x = degrees / (degrees + tSquared);
  const rest = tSquared / (degrees + tSquared);
  const a = degrees / 2;
  const b = 0.5;
  if (rest === 0) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest));
  // The fraction converges fast on one side of the distribution's middle only; the other side is its mirror image.
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, rest)) / b;
}

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = notZero(1 - ((a + b) * x) / (a + 1));
  let value = 1 / d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const before = value;
    for (const term of [even, odd]) {
      d = notZero(1 + term / d);
      c = notZero(1 + term / c);
      value *= c / d;
    }
    if (Math.abs(value / before - 1) < 1e-15) return value;
  }
  throw new Error(`the incomplete beta function of ${a}, ${b} at ${x} does not converge`);
}

const notZero = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** Lanczos' approximation with g = 7 and nine terms, 1e-15 relative for positive x. */
function logGamma(x: number): number {
  const shifted = x + 6.5;
  const sum = LANCZOS.reduce(
    (total, term, index) => total + (index === 0 ? term : term / (x - 1 + index)),
    0,
  );
  return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum);
}

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
