import { quantile } from './summaries.ts';

/** Percentiles of tables 1 and 2 of the 2017 QUIC paper. */
export const PERCENTILES = [1, 5, 10, 50, 90, 95, 99] as const;

/** By how much of the control's value the treatment's is lower, in %; null where the control's is 0, or not known. */
export interface PercentReductions {
  readonly treated: number;
  readonly controls: number;
  readonly mean: number | null;
  readonly percentiles: readonly { readonly percentile: number; readonly percent: number | null }[];
}

/**
 * Distributions against each other, not pairs: the 99th percentile of the one against that of the other (2017 paper,
 * table 1). A table describes and gives no verdict. null where a group is empty; a percentile is null where no whole session
 * of the smaller group lies beyond it: of ten, the first percentile would be the least of them under another name.
 */
export function percentReductions(
  treated: readonly number[],
  controls: readonly number[],
): PercentReductions | null {
  if (treated.length === 0 || controls.length === 0) return null;
  const [ours, theirs] = [ascending(treated), ascending(controls)];
  const fewest = Math.min(ours.length, theirs.length);
  return {
    treated: ours.length,
    controls: theirs.length,
    mean: reduction(mean(ours), mean(theirs)),
    percentiles: PERCENTILES.map((percentile) => ({
      percentile,
      percent: isKnown(percentile, fewest)
        ? reduction(quantile(ours, percentile / 100), quantile(theirs, percentile / 100))
        : null,
    })),
  };
}

const isKnown = (percentile: number, sessions: number): boolean =>
  sessions * Math.min(percentile, 100 - percentile) >= 100;
const reduction = (ours: number, theirs: number): number | null =>
  theirs === 0 ? null : (100 * (theirs - ours)) / theirs;
const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A measured session of a group. */
interface AtRtt {
  readonly value: number;
  /** The least round-trip time that the session saw. */
  readonly minRttMs: number;
}

interface RttBucket {
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
