import type { Interval } from '../bootstrap.ts';
import type { Metric } from '../metric.ts';

/** What a comparison says of its first arm. */
export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot-tell';

/** A comparison on the primary metric, in a design that can come to a verdict. */
export interface Judged {
  /** Of the mean difference, first arm less second. */
  readonly interval: Interval;
  /** Of the signed-rank test: sum of the ranks of positive differences less that of negative ones. */
  readonly rankBalance: number;
  readonly holmP: number;
  readonly alpha: number;
  /** The smallest difference that matters, in the metric's unit. */
  readonly margin: number;
  readonly better: NonNullable<Metric['better']>;
}

/**
 * Equivalent: the whole interval lies within ± margin, whatever p says, because what is left does not matter. Better or
 * worse: p after Holm is below alpha and the interval lies on one side of 0, the same as the ranks; the test is about ranks
 * and the sentence about the mean, and where they disagree nothing is claimed. Everything else: cannot tell.
 */
export function verdictOf(judged: Judged): Verdict {
  const { interval, rankBalance, holmP, alpha, margin, better } = judged;
  const [min, max] = interval;
  if (min > -margin && max < margin) return 'equivalent';
  const direction = min > 0 ? 1 : max < 0 ? -1 : 0;
  if (!(holmP < alpha) || direction === 0 || direction !== Math.sign(rankBalance)) return 'cannot-tell';
  return direction > 0 === (better === 'higher') ? 'better' : 'worse';
}
