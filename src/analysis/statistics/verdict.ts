import type { Interval } from './intervals.ts';
import type { Metric } from '../metrics/metric.ts';

/** Which arm has the higher mean: the first (`higher`), the second (`lower`), or neither can be shown. */
export type Direction = 'higher' | 'lower' | 'cannot-tell';

/** Whether the difference matters: all that is plausible lies beyond the margin, or inside it, or it is undecided. */
export type Relevance = 'beyond' | 'inside' | 'undecided';

/** The two statements of a comparison on the primary metric. They are tested apart, and neither hides the other. */
export interface Judgement {
  readonly direction: Direction;
  readonly relevance: Relevance;
}

/** Both statements in one word, as badges and tables have it: what they say for the viewer. */
export type Verdict = 'better' | 'worse' | 'better-inside' | 'worse-inside' | 'equivalent' | 'cannot-tell';

/** The evidence for a direction. */
export interface DirectionEvidence {
  /** Interval of the mean difference, first arm less second; null where there are too few different values for one. */
  readonly interval: Interval | null;
  /** Balance of the signed-rank test: sum of the ranks of positive differences less that of negative ones. */
  readonly rankBalance: number;
  readonly holmP: number;
  readonly alpha: number;
}

/**
 * A direction is shown where p after Holm is below alpha and the interval lies on one side of 0, the same as the ranks: the
 * test is about ranks and the sentence about the mean, and where they disagree nothing is claimed.
 */
export function directionOf({ interval, rankBalance, holmP, alpha }: DirectionEvidence): Direction {
  if (interval === null || !(holmP < alpha)) return 'cannot-tell';
  const side = sideOf(interval, 0);
  return side === 0 || side !== Math.sign(rankBalance) ? 'cannot-tell' : side > 0 ? 'higher' : 'lower';
}

/** The evidence for relevance: on the scale on which the margin is declared. */
export interface RelevanceEvidence {
  /** Interval of the difference, or of the logarithm of the ratio. null: too few different values, or no ratio. */
  readonly interval: Interval | null;
  /** The smallest difference that matters, on the same scale. */
  readonly margin: number;
  /** p of two one-sided tests that the difference is inside the margin (Schuirmann 1987), after Holm's correction. */
  readonly insideP: number;
  /** p of the one-sided test that the difference is beyond the margin on its side, after Holm's correction. */
  readonly beyondP: number;
  readonly alpha: number;
}

/** Both the corrected test and the whole 95 % interval have to say so: the reader sees the interval. */
export function relevanceOf({ interval, margin, insideP, beyondP, alpha }: RelevanceEvidence): Relevance {
  if (interval === null) return 'undecided';
  const [min, max] = interval;
  if (min > -margin && max < margin && insideP < alpha) return 'inside';
  return (min > margin || max < -margin) && beyondP < alpha ? 'beyond' : 'undecided';
}

/** Returns 1 where the whole interval is above the value, −1 where it is below, 0 where the value is inside. */
const sideOf = ([min, max]: Interval, value: number): -1 | 0 | 1 => (min > value ? 1 : max < value ? -1 : 0);

/** Without a direction, only `inside` says something: the arms are equivalent. */
export function verdictOf(
  { direction, relevance }: Judgement,
  better: NonNullable<Metric['better']>,
): Verdict {
  if (direction === 'cannot-tell') return relevance === 'inside' ? 'equivalent' : 'cannot-tell';
  const word = direction === better ? 'better' : 'worse';
  return relevance === 'inside' ? `${word}-inside` : word;
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

/** Counts won and lost pairs from differences, first arm less second, of a metric where `better` is good. */
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
