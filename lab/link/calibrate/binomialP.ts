/**
 * Exact two-sided p-value of seeing `hits` among `trials` when each is a hit with probability `chance`: twice the
 * smaller tail, at most 1 (the test that Clopper and Pearson 1934 invert).
 */
export function binomialP({
  hits,
  trials,
  chance,
}: {
  hits: number;
  trials: number;
  chance: number;
}): number {
  if (chance <= 0) return hits === 0 ? 1 : 0;
  if (chance >= 1) return hits === trials ? 1 : 0;
  // From the observed count outwards, until nothing more is added: the tail on the near side of the mean is 1 − the other.
  const atHits = Math.exp(logChanceOf(hits, trials, chance));
  const odds = chance / (1 - chance);
  let below = 0;
  for (let k = hits, each = atHits; k >= 0 && each > below * TINY; k -= 1) {
    below += each;
    each *= k / ((trials - k + 1) * odds);
  }
  let above = 0;
  for (let k = hits, each = atHits; k <= trials && each > above * TINY; k += 1) {
    above += each;
    each *= ((trials - k) * odds) / (k + 1);
  }
  return Math.min(1, 2 * Math.min(below, above));
}

const TINY = 1e-17;

function logChanceOf(hits: number, trials: number, chance: number): number {
  return logChoose(trials, hits) + hits * Math.log(chance) + (trials - hits) * Math.log1p(-chance);
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let at = 1; at <= Math.min(k, n - k); at += 1) sum += Math.log((n - at + 1) / at);
  return sum;
}
