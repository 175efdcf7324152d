import { normalTail } from './distributions.ts';

/** What becomes of pairs without a difference; without such pairs both say the same. */
type ZeroMethod =
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

/**
 * The greatest sum of the ranks of one sign with which so many differences without ties have a p below alpha; −1 where no sum
 * has. By the methods of `signedRank`.
 */
export function signedRankLimit(pairs: number, alpha: number): number {
  const ranks = Array.from({ length: pairs }, (_, place) => place + 1);
  if (pairs > MAX_EXACT) {
    let limit = Math.floor(sum(ranks) / 2);
    while (limit >= 0 && normalP(ranks, limit, true) >= alpha) limit -= 1;
    return limit;
  }
  const patterns = patternsBySum(ranks);
  let [limit, below] = [-1, 0];
  for (const count of patterns) {
    below += count;
    if ((2 * below) / 2 ** pairs >= alpha) break;
    limit += 1;
  }
  return limit;
}

/** The share of the 2ⁿ patterns of signs with a sum as far out, by the shift algorithm of Streitberg and Röhmel (1986). */
function exactP(ranks: readonly number[], min: number): number {
  if (ranks.length > MAX_EXACT) throw new Error(`${ranks.length} differences; exact takes ${MAX_EXACT}`);
  // Ranks are halves at worst, so twice a rank is a whole number.
  const steps = ranks.map((rank) => Math.round(2 * rank));
  const patterns = patternsBySum(steps);
  const asFarOut = sum([...patterns.subarray(0, Math.round(2 * min) + 1)]);
  return Math.min(1, (2 * asFarOut) / 2 ** ranks.length);
}

/** How many of the 2ⁿ patterns of signs have each sum of positive steps. */
function patternsBySum(steps: readonly number[]): Float64Array {
  const patterns = new Float64Array(sum(steps) + 1);
  patterns[0] = 1;
  let reached = 0;
  for (const step of steps) {
    reached += step;
    for (let at = reached; at >= step; at--) patterns[at]! += patterns[at - step]!;
  }
  return patterns;
}

/** A rank counts or does not, each with chance 1/2: mean Σr/2 and variance Σr²/4 hold with ties and left-out zeros. */
function normalP(ranks: readonly number[], min: number, correction: boolean): number {
  const deviation = Math.sqrt(sum(ranks.map((rank) => rank * rank)) / 4);
  const distance = Math.max(0, sum(ranks) / 2 - min - (correction ? 0.5 : 0));
  return deviation === 0 ? 1 : 2 * normalTail(distance / deviation);
}

/** The Mann–Whitney U test of two unpaired samples, two-sided. It does not see pairs: see this folder's README. */
export interface MannWhitney {
  readonly method: 'exact' | 'normal';
  /** U of the first sample: how many of all n₁ n₂ couples it wins, ties counted half. */
  readonly u: number;
  readonly p: number;
  /** Share of couples that the first sample wins less the share that it loses, −1 to 1 (Cliff 1993). */
  readonly cliffsDelta: number;
}

/** So many values together at most are tested exactly: their C(50, 25) choices are still whole numbers in a double. */
const MAX_EXACT_VALUES = 50;

/** `method` is exact up to 50 values together, also with ties, else normal. null where a sample is empty. */
export function mannWhitney(
  first: readonly number[],
  second: readonly number[],
  options: { method?: MannWhitney['method']; correction?: boolean } = {},
): MannWhitney | null {
  const couples = first.length * second.length;
  if (couples === 0) return null;
  const ranks = midRanks([...first, ...second]);
  const rankSum = sum(ranks.slice(0, first.length));
  const u = rankSum - (first.length * (first.length + 1)) / 2;
  const method = options.method ?? (ranks.length <= MAX_EXACT_VALUES ? 'exact' : 'normal');
  const sample = { ranks, size: first.length, rankSum };
  return {
    method,
    u,
    p: method === 'exact' ? exactUP(sample) : normalUP(sample, options.correction ?? true),
    cliffsDelta: (2 * u) / couples - 1,
  };
}

interface Sample {
  readonly ranks: readonly number[];
  readonly size: number;
  readonly rankSum: number;
}

/** The share of all choices of `size` ranks with a sum as far out. */
function exactUP({ ranks, size, rankSum }: Sample): number {
  if (ranks.length > MAX_EXACT_VALUES)
    throw new Error(`${ranks.length} values; exact takes ${MAX_EXACT_VALUES}`);
  // Ranks are halves at worst; without ties they are whole.
  const unit = ranks.every(Number.isInteger) ? 1 : 2;
  const steps = ranks.map((rank) => Math.round(unit * rank));
  const isFewer = 2 * size <= ranks.length;
  // Who is chosen leaves the others unchosen: the smaller sample has fewer choices to count.
  const counts = choicesBySum(steps, isFewer ? size : ranks.length - size);
  const here = Math.round(unit * rankSum);
  const at = isFewer ? here : sum(steps) - here;
  const below = sum(counts.slice(0, at + 1));
  const above = sum(counts.slice(at));
  return Math.min(1, (2 * Math.min(below, above)) / sum(counts));
}

/** How many choices of so many steps have each sum: counted step by step, from the least on, within the sums that it can make. */
function choicesBySum(steps: readonly number[], size: number): number[] {
  const ascending = [...steps].sort((a, b) => a - b);
  const max = sum(ascending.slice(ascending.length - size));
  const choices = Array.from({ length: size + 1 }, () => new Float64Array(max + 1));
  choices[0]![0] = 1;
  ascending.forEach((step, done) => {
    const [min, last] = [Math.max(1, size - (ascending.length - done - 1)), Math.min(size, done + 1)];
    for (let chosen = last; chosen >= min; chosen--) {
      const [to, from] = [choices[chosen]!, choices[chosen - 1]!];
      const top = sum(ascending.slice(done + 1 - chosen, done + 1));
      for (let at = top; at >= step; at--) to[at]! += from[at - step]!;
    }
  });
  return [...choices[size]!];
}

/** Choosing without replacement: variance n₁ n₂ / N times the variance of the ranks, which ties make smaller. */
function normalUP({ ranks, size, rankSum }: Sample, correction: boolean): number {
  const all = ranks.length;
  const mean = (all + 1) / 2;
  const spread = sum(ranks.map((rank) => (rank - mean) ** 2)) / (all - 1);
  const deviation = Math.sqrt(((size * (all - size)) / all) * spread);
  const distance = Math.max(0, Math.abs(rankSum - size * mean) - (correction ? 0.5 : 0));
  return deviation > 0 ? 2 * normalTail(distance / deviation) : 1;
}

/** The rank of each value from 1 on, in the order given; equal values share the mean of their ranks. */
function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let first = 0, next = 0; first < order.length; first = next) {
    while (next < order.length && values[order[next]!] === values[order[first]!]) next += 1;
    for (let place = first; place < next; place++) ranks[order[place]!] = (first + 1 + next) / 2;
  }
  return ranks;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
