import { groupBy } from '../../src/shared/groupBy.ts';
import {
  differencesOf,
  logRatiosOf,
  couplesOf,
  pairsIn,
  type CensoredSessions,
  type Couples,
  type NamesOfPairs,
  type Pairs,
  type PlaybackHashes,
  type SessionValues,
} from './pairs.ts';
import { resolutionOf, type Resolution } from './resolution.ts';
import { type Comparison, declaredComparisons } from './comparisons.ts';
import type { CampaignPlan } from '../design/plan.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { meanTest, type Draws, type MeanTest } from '../../src/analysis/statistics/meanIntervals.ts';
import {
  mannWhitney,
  type MannWhitney,
  signedRank,
  type SignedRank,
} from '../../src/analysis/statistics/rankTests.ts';
import { pairCounts, type PairCounts } from '../../src/analysis/statistics/verdict.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';

/** A declared comparison on some metric, first arm less second. By itself it is exploratory: it gives no verdict. */
export interface Compared {
  readonly comparison: Comparison;
  readonly pairs: Pairs;
  /** Statistics of the pairs; null without a pair. */
  readonly statistics: ComparedStatistics | null;
  /** Means of the same pairs by network, in the plan's order; empty where all are of one network. */
  readonly networks: readonly NetworkMeans[];
}

/** What the pairs of one network contribute to a comparison over several. */
export interface NetworkMeans {
  readonly network: string;
  readonly pairs: number;
  /** Means over these pairs, in the metric's unit. */
  readonly first: number;
  readonly second: number;
  readonly difference: number;
}

/** An estimate with its 95 % interval; null where there are too few different values for one. */
export interface Estimate {
  readonly value: number;
  readonly interval: Interval | null;
}

export interface ComparedStatistics {
  /** Mean of the differences, in the metric's unit, with an interval by bootstrap-t. */
  readonly mean: Estimate;
  /** Geometric mean of the ratios first to second, less 1, in %; null where a value is not above 0. */
  readonly ratio: Estimate | null;
  /** The least and the greatest mean difference when any one pair is left out; null below three pairs. */
  readonly leaveOneOut: Interval | null;
  /** Signed-rank test. Only differences that are left by the rounding of numbers are ties (`differenceOf`). */
  readonly test: SignedRank;
  /** Pairs won, lost and tied, with ties as in `test`; null for a metric that only describes. */
  readonly counts: PairCounts | null;
  /** Mann-Whitney test: blind to pairs, as the papers test; never for a verdict. */
  readonly unpaired: MannWhitney;
  /** Tests for bounds other than 0; `logRatio` is null where `ratio` is. */
  readonly tests: { readonly difference: MeanTest; readonly logRatio: MeanTest | null };
  /** Resolution of the campaign; it changes nothing else here. null: not measured. */
  readonly resolution: Resolution | null;
}

/** How far the values of a metric may be off, because the clock that they are counted by may be. */
interface ClockErrors {
  /** Unit of the metric and of the errors. */
  readonly unit: string;
  /** Errors by session, either way; null: not known. A session without an entry has no known error. */
  readonly bySession: ReadonlyMap<string, number | null>;
}

/** What is compared of a campaign, and how. */
export interface CompareOptions<Better extends Metric['better'] = Metric['better']> {
  readonly better: Better;
  /** `isPositive` of the metric. Absent: false. */
  readonly isPositive?: boolean;
  /** Invalidated pairs: `flaggedPairs(…).flagged`. */
  readonly flagged?: NamesOfPairs;
  /** Sessions whose value is a lower bound. Absent: none. */
  readonly censored?: CensoredSessions;
  /** Playback hashes of simulated sessions. */
  readonly playbackHashes?: PlaybackHashes;
  /** Errors of the metric's values, where a clock may be off. */
  readonly clockErrors?: ClockErrors;
  /** Number of resamples of the bootstrap; for simulations of many campaigns. */
  readonly resamples?: number;
}

/** Computes every declared comparison on one metric. */
export function compared(plan: CampaignPlan, values: SessionValues, options: CompareOptions): Compared[] {
  const { flagged = new Set(), playbackHashes = new Map(), isPositive = false } = options;
  const { censored = new Set<string>() } = options;
  const comparisons = declaredComparisons(plan);
  const known = {
    resolution: resolutionOf(plan, values, { flagged, isPositive }),
    comparisons: comparisons.length,
  };
  return comparisons.map((comparison) => {
    const couples = couplesOf(plan, comparison, { values, flagged, playbackHashes });
    const pairs = pairsIn(couples, { values, censored });
    return {
      comparison,
      pairs,
      statistics: statisticsOf(pairs, { ...options, ...known }),
      networks: networksOf(couples, values),
    };
  });
}

function networksOf({ couples, ...counts }: Couples, values: SessionValues): NetworkMeans[] {
  const byNetwork = groupBy(couples, ([{ link }]) => link?.network ?? '');
  if (byNetwork.size < 2) return [];
  return [...byNetwork].flatMap(([network, of]) => {
    const { values: units, compared: pairs } = pairsIn({ ...counts, couples: of }, { values });
    if (pairs === 0) return [];
    const [first, second] = [mean(units.map(([a]) => a)), mean(units.map(([, b]) => b))];
    return [{ network, pairs, first, second, difference: mean(differencesOf(units)) }];
  });
}

/** Number of resamples: ends of an interval move by some 1 % of its width with the seed. */
const RESAMPLES = 10_000;
/** Minimum number of resamples: with many units the t statistic is close to normal, and fewer resamples do. */
const MIN_RESAMPLES = 1000;
/** Maximum number of values that are drawn in all resamples together: some seconds. */
const MAX_DRAWN = 5e8;

/** Number of resamples where a statement depends on them: ends move by some 0.1 % of the width, the smallest p is 1e-6. */
const FINER_RESAMPLES = 1_000_000;
/** Maximum number of values in the finer resamples of all comparisons together, as a reader waits for it: 2 s of each scale. */
const FINER_DRAWN = 1e8;

/** Returns the resamples for so many units of one of so many comparisons. */
function drawsFor(units: number, comparisons: number): Draws {
  const within = (drawn: number): number => Math.floor(drawn / Math.max(1, units));
  const resamples = Math.max(MIN_RESAMPLES, Math.min(RESAMPLES, within(MAX_DRAWN)));
  const finer = Math.min(FINER_RESAMPLES, within(FINER_DRAWN / comparisons));
  return finer > resamples ? { seed: 1, resamples, finer } : { seed: 1, resamples };
}
export const CONFIDENCE = 0.95;

interface KnownResolution {
  readonly resolution: Resolution | null;
  readonly comparisons: number;
}

function statisticsOf(
  pairs: Pairs,
  { better, resamples, resolution, comparisons }: CompareOptions & KnownResolution,
): ComparedStatistics | null {
  const { values } = pairs;
  const [first, second] = [values.map(([a]) => a), values.map(([, b]) => b)];
  const unpaired = mannWhitney(first, second);
  if (!unpaired) return null;
  const differences = differencesOf(values);
  const logRatios = logRatiosOf(values);
  const draws = resamples === undefined ? drawsFor(values.length, comparisons) : { seed: 1, resamples };
  return {
    ...estimatesOf({
      difference: meanTest(differences, draws),
      logRatio: logRatios && meanTest(logRatios, draws),
    }),
    leaveOneOut: leaveOneOut(differences),
    test: signedRank(differences, { zeroMethod: 'pratt' }),
    counts: better === null ? null : pairCounts(differences, better),
    unpaired,
    resolution,
  };
}

/** Returns what tests of both scales say, and these tests. */
export const estimatesOf = (
  tests: ComparedStatistics['tests'],
): Pick<ComparedStatistics, 'mean' | 'ratio' | 'tests'> => ({
  mean: { value: tests.difference.value, interval: tests.difference.interval(CONFIDENCE) },
  ratio: tests.logRatio && ratioOf(tests.logRatio),
  tests,
});

function ratioOf(logRatio: MeanTest): Estimate {
  const percent = (log: number): number => 100 * Math.expm1(log);
  const ends = logRatio.interval(CONFIDENCE);
  return { value: percent(logRatio.value), interval: ends && [percent(ends[0]), percent(ends[1])] };
}

function leaveOneOut(differences: readonly number[]): Interval | null {
  const rest = differences.length - 1;
  if (rest < 2) return null;
  let [sum, min, max] = [0, Infinity, -Infinity];
  for (const each of differences) {
    sum += each;
    if (each < min) min = each;
    if (each > max) max = each;
  }
  return [(sum - max) / rest, (sum - min) / rest];
}

/**
 * Returns the mean without the one unit that makes half of it or more, from the least and greatest mean without any one; null
 * where no unit does.
 */
export function restWithoutOne(mean: number, [min, max]: Interval): number | null {
  // The end that is nearer to the other side.
  const rest = mean > 0 ? min : max;
  return mean !== 0 && rest / mean <= 0.5 ? rest : null;
}
