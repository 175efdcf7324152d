import type { Interval } from '../../src/analysis/statistics/intervals.ts';

/*
 * The asymptotic confidence sequence of a mean by a Gaussian mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
 * "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024; arXiv:2103.06476, Theorem
 * 2.2): of t values with deviation σ the interval is
 *
 *     mean ± σ √( 2 (tρ² + 1) / (t²ρ²) · ln( √(tρ² + 1) / α ) )
 *
 * It holds at all times together with a chance of 1 − α in the limit. With the standard error s = σ/√t only tρ² is left, which
 * grows as 1/s². So the interval also fits an estimate whose standard error comes from clusters.
 */

/** The value of tρ² at which the interval is narrowest relative to s, as the paper chooses ρ (its Appendix B.2). */
export function mixtureAtPlan(alpha: number): number {
  const twice = -2 * Math.log(alpha);
  return twice + Math.log(twice + 1);
}

/** Returns half the width of the interval in standard errors, at a value of tρ². */
export const sequenceHalfWidth = (mixture: number, alpha: number): number =>
  Math.sqrt(((2 * (mixture + 1)) / mixture) * Math.log(Math.sqrt(mixture + 1) / alpha));

interface Planned {
  /** Standard error that the design expects at the end. It is fixed before the trial, or the interval would not hold. */
  readonly plannedError: number;
  readonly alpha: number;
}

/** Half the width in standard errors at a look, of an estimate with this standard error. */
export const halfWidthAt = (standardError: number, { plannedError, alpha }: Planned): number =>
  sequenceHalfWidth(mixtureAtPlan(alpha) * (plannedError / standardError) ** 2, alpha);

/** The always-valid interval of an estimate. With a standard error of 0 it is the estimate alone. */
export function sequenceInterval(
  { difference, standardError }: { readonly difference: number; readonly standardError: number },
  planned: Planned,
): Interval {
  if (standardError === 0) return [difference, difference];
  const half = halfWidthAt(standardError, planned) * standardError;
  return [difference - half, difference + half];
}
