import { spendAlpha, type Look } from './sequentialSignFlip.ts';

/** P(X ≤ hits) of a binomial distribution: so many hits or fewer in `count` independent sessions. */
export function binomialTail(hits: number, count: number, share: number): number {
  if (hits >= count || share <= 0) return 1;
  if (share >= 1) return 0;
  const odds = Math.log(share) - Math.log1p(-share);
  let log = count * Math.log1p(-share);
  let sum = 0;
  for (let hit = 0; hit <= hits; hit++) {
    sum += Math.exp(log);
    log += Math.log(count - hit) - Math.log(hit + 1) + odds;
  }
  return Math.min(1, sum);
}

/**
 * The one-sided upper bound of Clopper and Pearson (Biometrika 26, 1934) for the share of sessions that are hit, if `hits` of
 * `count` were: the largest share at which so few hits have a probability of `alpha`. Exact: the bound is below the true share
 * in at most `alpha` of all samples. 1 without a session that was spared. By bisection, to the last digits.
 *
 * @throws Error where hits are no whole number from 0 to `count`
 */
export function upperShare(hits: number, count: number, alpha: number): number {
  if (!(Number.isInteger(hits) && hits >= 0 && hits <= count))
    throw new Error(`hits are ${hits} of ${count}`);
  if (hits === count) return 1;
  let [low, high] = [hits / count, 1];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2)
    if (binomialTail(hits, count, middle) > alpha) low = middle;
    else high = middle;
  return high;
}

/**
 * The least number of sessions that rule a share out at level `alpha` if no more than `hits` of them are hit; without hits the
 * least n with (1 − share)^n ≤ alpha. To rule it out in two arms at once, each needs so many at alpha/2 (Bonferroni).
 */
export function sessionsToRuleOut(share: number, alpha: number, hits = 0): number {
  if (!(share > 0 && share <= 1 && alpha > 0 && alpha < 1))
    throw new Error(`share is ${share} and alpha ${alpha}; they must be above 0, and alpha below 1`);
  let [low, high] = [hits, hits + 1];
  while (binomialTail(hits, high, share) > alpha) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (binomialTail(hits, middle, share) > alpha) low = middle;
    else high = middle;
  }
  return high;
}

/** One of several looks at whether few enough sessions are hit. */
interface ShareLook extends Look {
  /** The most hits with which this look rules the share out; -1 where no number is small enough. */
  readonly maxHits: number;
}

/**
 * Group-sequential exact test of a share: at each look, with how many hits at most the hypothesis that `share` of all sessions
 * or more are hit is rejected. The probability that any look up to this one rejects is computed over all paths, and stays
 * within what the spending function of Lan and DeMets allows up to there (`spendAlpha`), so that the chance of a rejection at
 * any look is at most alpha. More hits are less probable under any smaller share, so it holds for every share above, too.
 */
export function sequentialShareLooks(
  looks: readonly Look[],
  { share, alpha }: { readonly share: number; readonly alpha: number },
): ShareLook[] {
  // Probability of each number of hits without a rejection before.
  let paths = [1];
  let played = 0;
  let spent = 0;
  return looks.map((look) => {
    for (; played < look.count; played++) paths = withOneMore(paths, share);
    const level = spendAlpha(alpha, look.share);
    let maxHits = -1;
    while (maxHits + 1 < paths.length && spent + paths[maxHits + 1]! <= level) {
      maxHits += 1;
      spent += paths[maxHits]!;
      paths[maxHits] = 0;
    }
    return { ...look, maxHits };
  });
}

const withOneMore = (paths: readonly number[], share: number): number[] =>
  Array.from(
    { length: paths.length + 1 },
    (_, hits) => (paths[hits] ?? 0) * (1 - share) + (hits > 0 ? paths[hits - 1]! * share : 0),
  );
