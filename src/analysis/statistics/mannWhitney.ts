import { midRanks } from './midRanks.ts';
import { normalTail } from './normalTail.ts';

/** The Mann–Whitney U test of two unpaired samples, two-sided. It does not see pairs: see this folder's README. */
export interface MannWhitney {
  readonly method: 'exact' | 'normal';
  /** Of the first sample: how many of all n₁ n₂ couples it wins, ties counted half. */
  readonly u: number;
  readonly p: number;
  /** Share of couples that the first sample wins less the share that it loses, −1 to 1 (Cliff 1993). */
  readonly cliffsDelta: number;
}

/** So many values together at most are tested exactly: their C(50, 25) choices are still whole numbers in a double. */
const MAX_EXACT = 50;

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
  const method = options.method ?? (ranks.length <= MAX_EXACT ? 'exact' : 'normal');
  const sample = { ranks, size: first.length, rankSum };
  return {
    method,
    u,
    p: method === 'exact' ? exactP(sample) : normalP(sample, options.correction ?? true),
    cliffsDelta: (2 * u) / couples - 1,
  };
}

interface Sample {
  readonly ranks: readonly number[];
  readonly size: number;
  readonly rankSum: number;
}

/** The share of all choices of `size` ranks with a sum as far out. */
function exactP({ ranks, size, rankSum }: Sample): number {
  if (ranks.length > MAX_EXACT) throw new Error(`${ranks.length} values; exact takes ${MAX_EXACT}`);
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
function normalP({ ranks, size, rankSum }: Sample, correction: boolean): number {
  const all = ranks.length;
  const mean = (all + 1) / 2;
  const spread = sum(ranks.map((rank) => (rank - mean) ** 2)) / (all - 1);
  const deviation = Math.sqrt(((size * (all - size)) / all) * spread);
  const distance = Math.max(0, Math.abs(rankSum - size * mean) - (correction ? 0.5 : 0));
  return deviation > 0 ? 2 * normalTail(distance / deviation) : 1;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
