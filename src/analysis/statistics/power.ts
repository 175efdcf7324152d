/**
 * The least two-sided p that the exact Wilcoxon signed-rank test can give with so many pairs: all differences of one
 * sign, one of the 2ⁿ equally likely patterns of signs, and its mirror image (Wilcoxon 1945). Exact, because a power of
 * two loses nothing. 1 without pairs.
 */
export const smallestWilcoxonP = (pairs: number): number => Math.min(1, 2 ** (1 - pairs));

/**
 * The least that p can be after Holm's correction (1979) over a family of comparisons: its first step multiplies the
 * smallest p by their number.
 */
export const smallestHolmP = (pairs: number, comparisons: number): number =>
  Math.min(1, comparisons * smallestWilcoxonP(pairs));

/** The fewest pairs with which some comparison of a family can get p_Holm < alpha, whatever the data. */
export function minPairs(comparisons: number, alpha: number): number {
  if (!(alpha > 0)) throw new Error(`alpha is ${alpha}; it must be above 0`);
  let pairs = 1;
  while (smallestHolmP(pairs, comparisons) >= alpha) pairs += 1;
  return pairs;
}
