import { midRanks } from './midRanks.ts';
import { normalTail } from './normalTail.ts';

/** What becomes of pairs without a difference; without such pairs both say the same. */
export type ZeroMethod =
  /** They are left out before ranking (Wilcoxon 1945). */
  | 'wilcox'
  /** They are ranked with the others and left out afterwards (Pratt 1959): many ties weaken a difference. */
  | 'pratt';

/** Wilcoxon's signed-rank test of paired differences, two-sided. */
export interface SignedRank {
  readonly zeroMethod: ZeroMethod;
  readonly method: 'exact' | 'normal';
  readonly pairs: number;
  readonly zeros: number;
  /** Sums of the ranks of positive and of negative differences. */
  readonly positive: number;
  readonly negative: number;
  /** 1 where no pair differs. */
  readonly p: number;
}

/** So many differences at most are tested exactly: their 2⁵⁰ patterns of signs are still whole numbers in a double. */
const MAX_EXACT = 50;

/**
 * `method` is exact up to 50 differences, else normal. Exact counts patterns of signs over the very ranks at hand, so it
 * also holds with ties, where the normal approximation of few pairs claims a p that no data can have.
 */
export function signedRank(
  differences: readonly number[],
  options: { zeroMethod?: ZeroMethod; method?: SignedRank['method']; correction?: boolean } = {},
): SignedRank {
  const { zeroMethod = 'pratt' } = options;
  const ranked = zeroMethod === 'pratt' ? differences : differences.filter((each) => each !== 0);
  const all = midRanks(ranked.map(Math.abs));
  const ranks = all.filter((_, index) => ranked[index] !== 0);
  const positive = sum(all.filter((_, index) => ranked[index]! > 0));
  const negative = sum(ranks) - positive;
  const method = options.method ?? (ranks.length <= MAX_EXACT ? 'exact' : 'normal');
  const min = Math.min(positive, negative);
  return {
    zeroMethod,
    method,
    pairs: differences.length,
    zeros: differences.length - ranks.length,
    positive,
    negative,
    p: method === 'exact' ? exactP(ranks, min) : normalP(ranks, min, options.correction ?? true),
  };
}

/** The share of the 2ⁿ patterns of signs with a sum as far out, by the shift algorithm of Streitberg and Röhmel (1986). */
function exactP(ranks: readonly number[], min: number): number {
  if (ranks.length > MAX_EXACT) throw new Error(`${ranks.length} differences; exact takes ${MAX_EXACT}`);
  // Ranks are halves at worst, so twice a rank is a whole number.
  const steps = ranks.map((rank) => Math.round(2 * rank));
  const patterns = new Float64Array(sum(steps) + 1);
  patterns[0] = 1;
  let reached = 0;
  for (const step of steps) {
    reached += step;
    for (let at = reached; at >= step; at--) patterns[at]! += patterns[at - step]!;
  }
  const asFarOut = sum([...patterns.subarray(0, Math.round(2 * min) + 1)]);
  return Math.min(1, (2 * asFarOut) / 2 ** ranks.length);
}

/** A rank counts or does not, each with chance 1/2: mean Σr/2 and variance Σr²/4 hold with ties and left-out zeros. */
function normalP(ranks: readonly number[], min: number, correction: boolean): number {
  const deviation = Math.sqrt(sum(ranks.map((rank) => rank * rank)) / 4);
  const distance = Math.max(0, sum(ranks) / 2 - min - (correction ? 0.5 : 0));
  return deviation === 0 ? 1 : 2 * normalTail(distance / deviation);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
