import { percentReductions, type PercentReductions } from './percentReductions.ts';

/** A measured session of a group. */
export interface AtRtt {
  readonly value: number;
  /** The least round-trip time that the session saw. */
  readonly minRttMs: number;
}

export interface RttBucket {
  readonly fromMs: number;
  /** Not part of it; the last bucket has no end: Infinity. */
  readonly toMs: number;
  /** null where a group has no session in the bucket. */
  readonly reductions: PercentReductions | null;
}

/** Reduction tables by minimum round-trip time (2017 paper, figure 9); `edgesMs` ascend, the first bucket begins at 0. */
export function reductionsByRtt(
  treated: readonly AtRtt[],
  controls: readonly AtRtt[],
  edgesMs: readonly number[],
): RttBucket[] {
  return [0, ...edgesMs].map((fromMs, index) => {
    const toMs = edgesMs[index] ?? Infinity;
    const within = (group: readonly AtRtt[]): number[] =>
      group.filter(({ minRttMs }) => minRttMs >= fromMs && minRttMs < toMs).map(({ value }) => value);
    return { fromMs, toMs, reductions: percentReductions(within(treated), within(controls)) };
  });
}
