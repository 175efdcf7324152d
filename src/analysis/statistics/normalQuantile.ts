import { normalTail } from './normalTail.ts';

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
