import {
  sequentialShareLooks,
  sessionsToRuleOut,
  upperShare,
} from '../../src/analysis/statistics/rareEvents.ts';
import type { Look } from '../../src/analysis/statistics/sequentialSignFlip.ts';

/** What the pairs of a gate rule out about faults that are rare: in how many of them NEW was bad, and in what share it may be. */
export interface RareBound {
  /** Worse by so much or more is bad, as the test of the metric has it; null where it is not about a metric. */
  readonly from: number | null;
  /** Pairs in which a session of NEW was bad. */
  readonly bad: number;
  readonly pairs: number;
  /** The share of sessions that is to be ruled out. */
  readonly share: number;
  /** The upper bound of the share at level alpha (Clopper and Pearson), as if nobody had looked before. */
  readonly upperBound: number;
  /** Pairs that would rule `share` out at level alpha if no more were bad than now. */
  readonly neededPairs: number;
  /** Whether this look or an earlier one rules it out. */
  readonly isShown: boolean;
}

interface RareOptions {
  readonly alpha: number;
  /** The smallest share of bad sessions that has to be ruled out. */
  readonly share: number;
  readonly looks: readonly Look[];
}

/** Whether few enough pairs are bad to rule out a share of them. `isBad` has an entry for each pair, in the order of the plan. */
export function boundShare(
  isBad: readonly boolean[],
  { alpha, share, looks }: RareOptions,
  from: number | null = null,
): RareBound {
  const badUntil = (count: number): number => isBad.slice(0, count).filter(Boolean).length;
  const pairs = looks.at(-1)?.count ?? 0;
  const bad = badUntil(pairs);
  return {
    from,
    bad,
    pairs,
    share,
    upperBound: upperShare(bad, pairs, alpha),
    neededPairs: sessionsToRuleOut(share, alpha, bad),
    isShown: sequentialShareLooks(looks, { alpha, share }).some(
      ({ count, maxHits }) => badUntil(count) <= maxHits,
    ),
  };
}

/** Shares from one step to the next: a fault in between is taken for one of the smaller share and the smaller size. */
const STEP = 1.1;

/** A fault in more sessions than that is in so many pairs that the test of the mean sees it. */
const MAX_SHARE = 0.5;

/**
 * Bounds rare faults of a metric. `worsening` has for each pair by how much NEW is worse, Infinity where only NEW has no value.
 *
 * A fault of size s in a share p of sessions worsens the mean by p·s. The test of the mean takes differences for symmetric,
 * and does not see a fault that none of its pairs has. So for each share p from the declared one up to a half, the share of
 * pairs in which NEW is worse by margin / p, which is what a fault in so few sessions needs in order to reach the margin, has
 * to be shown to be below p. All of them are required, so each is tested at alpha (the intersection-union test, Berger 1982).
 * Returned is the bound of the declared share, or else the first that is not shown.
 */
export function boundRareFaults(
  worsening: readonly number[],
  { margin, alpha, share: declared, looks }: RareOptions & { readonly margin: number },
): RareBound {
  const bounds: RareBound[] = [];
  for (let share = declared; share < MAX_SHARE || bounds.length === 0; share *= STEP) {
    const from = margin / Math.min(1, share * STEP);
    const isBad = worsening.map((worse) => worse >= from - ROUNDING * margin);
    bounds.push(boundShare(isBad, { alpha, share, looks }, from));
  }
  return bounds.find(({ isShown }) => !isShown) ?? bounds[0]!;
}

/** Sums of decimal fractions are off by less. */
const ROUNDING = 1e-9;
