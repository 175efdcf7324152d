import type { Interval } from './intervals.ts';
import type { Metric } from '../metrics/metric.ts';

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

/**
 * p values of a family after Holm's correction (1979), in the order given: the smallest times their number m, the next
 * times m − 1 and so on, none smaller than the one before it and none above 1.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const corrected = new Array<number>(ps.length);
  let min = 0;
  for (const [place, index] of order.entries()) {
    min = Math.max(min, Math.min(1, (ps.length - place) * ps[index]!));
    corrected[index] = min;
  }
  return corrected;
}

/** Pairs that the first arm won, lost, or that show no difference. */
export interface PairCounts {
  readonly won: number;
  readonly lost: number;
  readonly tied: number;
}

/** From differences first arm less second arm of a metric where `better` is good. */
export function pairCounts(
  differences: readonly number[],
  better: NonNullable<Metric['better']>,
): PairCounts {
  const positive = differences.filter((each) => each > 0).length;
  const negative = differences.filter((each) => each < 0).length;
  const [won, lost] = better === 'higher' ? [positive, negative] : [negative, positive];
  return { won, lost, tied: differences.length - won - lost };
}

/**
 * First less second, without what rounding leaves: two means of the same bitrates may differ in their sixteenth digit, and a
 * test by ranks would take that for a difference won or lost.
 */
export function differenceOf(first: number, second: number): number {
  const difference = first - second;
  const scale = Math.max(Math.abs(first), Math.abs(second));
  return Math.abs(difference) <= ROUNDING * scale ? 0 : Number(difference.toPrecision(9));
}

/** A million times the rounding of a double: sums of a day's events stay below it, and no instrument reaches it. */
const ROUNDING = 1e-9;
