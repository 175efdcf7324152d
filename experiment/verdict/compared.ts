import { declaredComparisons, type Comparison } from './declaredComparisons.ts';
import {
  pairsOf,
  type NamesOfPairs,
  type Pairs,
  type PlaybackHashes,
  type SessionValues,
} from './pairsOf.ts';
import type { CampaignPlan } from '../plan/plan.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { differenceOf, pairCounts, type PairCounts } from '../../src/analysis/statistics/verdict.ts';
import { differenceInterval, type DifferenceInterval } from '../../src/analysis/statistics/intervals.ts';
import {
  mannWhitney,
  type MannWhitney,
  signedRank,
  type SignedRank,
} from '../../src/analysis/statistics/rankTests.ts';

/** A declared comparison on some metric, first arm less second. By itself it is exploratory: it gives no verdict. */
export interface Compared {
  readonly comparison: Comparison;
  readonly pairs: Pairs;
  /** null without a pair. */
  readonly statistics: ComparedStatistics | null;
}

export interface ComparedStatistics {
  readonly mean: DifferenceInterval;
  readonly test: SignedRank;
  /** null for a metric that only describes. */
  readonly counts: PairCounts | null;
  /** As the papers test, blind to pairs; never for a verdict. */
  readonly unpaired: MannWhitney;
}

/** What of a campaign is compared, and how. */
export interface CompareOptions<Better extends Metric['better'] = Metric['better']> {
  readonly better: Better;
  /** The invalidated pairs: `flaggedPairs(…).flagged`. */
  readonly flagged?: NamesOfPairs;
  /** Of simulated sessions. */
  readonly playbackHashes?: PlaybackHashes;
  /** Of the bootstrap; for simulations of many campaigns. */
  readonly resamples?: number;
}

/** Every declared comparison on one metric. */
export const compared = (plan: CampaignPlan, values: SessionValues, options: CompareOptions): Compared[] =>
  declaredComparisons(plan).map((comparison) => {
    const { flagged = new Set(), playbackHashes = new Map() } = options;
    const pairs = pairsOf(plan, comparison, { values, flagged, playbackHashes });
    return { comparison, pairs, statistics: statisticsOf(pairs, options) };
  });

function statisticsOf({ values }: Pairs, { better, resamples }: CompareOptions): ComparedStatistics | null {
  const [first, second] = [values.map(([a]) => a), values.map(([, b]) => b)];
  const unpaired = mannWhitney(first, second);
  if (!unpaired) return null;
  const differences = values.map(([a, b]) => differenceOf(a, b));
  const draws = resamples === undefined ? {} : { resamples };
  return {
    mean: differenceInterval(differences, 'mean', draws),
    test: signedRank(differences, { zeroMethod: 'pratt' }),
    counts: better === null ? null : pairCounts(differences, better),
    unpaired,
  };
}
