import { type SessionValues, pairsOf, type NamesOfPairs, type Pairs, type PlaybackHashes } from './pairs.ts';
import type { CampaignPlan } from '../plan/plan.ts';
import { verdictReach } from './verdictReach.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  holm,
  verdictOf,
  type Verdict,
  differenceOf,
  pairCounts,
  type PairCounts,
} from '../../src/analysis/statistics/verdict.ts';
import { pairsNeeded } from '../../src/analysis/statistics/power.ts';
import {
  differenceInterval,
  type DifferenceInterval,
  type Interval,
} from '../../src/analysis/statistics/intervals.ts';
import {
  mannWhitney,
  type MannWhitney,
  signedRank,
  type SignedRank,
} from '../../src/analysis/statistics/rankTests.ts';
import { factorsOf, armCount } from '../plan/factorsOf.ts';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { formatCount, formatNumber, formatSigned } from '../../src/shared/format.ts';
import { type Comparison, declaredComparisons } from './comparisons.ts';

/** A comparison on the campaign's primary metric. */
export interface VerdictRow extends Compared {
  /** Of the signed-rank test, after Holm's correction over all comparisons of the campaign; null without a pair. */
  readonly holmP: number | null;
  /** null where there can be none yet, or never; `why` then says so in a sentence. */
  readonly verdict: Verdict | null;
  readonly why: string | null;
  /** With the spread seen here, to find a difference as large as the margin with a chance of 80 %; null: not known. */
  readonly pairsForMargin: number | null;
}

/** Judges every declared comparison; `better` is that of the primary metric, whose values these are. */
export function verdicts(
  plan: CampaignPlan,
  values: SessionValues,
  options: CompareOptions<NonNullable<Metric['better']>>,
): VerdictRow[] {
  const rows = compared(plan, values, options);
  // A comparison without pairs stays in the family: what is declared is corrected for, not what could be played.
  const corrected = holm(rows.map(({ statistics }) => statistics?.test.p ?? 1));
  return rows.map((row, index) => {
    const holmP = row.statistics ? corrected[index]! : null;
    const why = whyNone(plan, row);
    return {
      ...row,
      holmP,
      why,
      verdict: why === null ? judged(plan, row, { better: options.better, holmP: holmP! }) : null,
      pairsForMargin: pairsForMargin(plan, row),
    };
  });
}

function whyNone({ campaign }: CampaignPlan, { pairs }: Compared): string | null {
  const { isWithinReach, pairsNeeded: needed } = verdictReach(campaign);
  const count = pairs.values.length;
  if (!isWithinReach) return `The design has too few pairs for any verdict: it needs at least ${needed}.`;
  if (count >= needed) return null;
  return pairs.copies > 0
    ? `Only ${count} of the ${needed} independent pairs that a verdict needs are available: under equal conditions the simulator gives copies.`
    : `Only ${count} of the ${needed} pairs that a verdict needs are available.`;
}

function judged(
  { campaign }: CampaignPlan,
  { statistics }: Compared,
  { better, holmP }: { better: NonNullable<Metric['better']>; holmP: number },
): Verdict {
  const { mean, test } = statistics!;
  return verdictOf({
    interval: mean.interval,
    rankBalance: test.positive - test.negative,
    holmP,
    alpha: campaign.alpha,
    margin: campaign.margin,
    better,
  });
}

function pairsForMargin({ campaign }: CampaignPlan, { pairs, statistics }: Compared): number | null {
  const { values } = pairs;
  if (!statistics || values.length < 2) return null;
  const squares = values.reduce((sum, [a, b]) => sum + (a - b - statistics.mean.value) ** 2, 0);
  const { comparisons, pairsNeeded: min } = verdictReach(campaign);
  const needed = pairsNeeded({
    shift: campaign.margin,
    deviation: Math.sqrt(squares / (values.length - 1)),
    alpha: campaign.alpha / comparisons,
  });
  return needed === null ? null : Math.max(min, needed);
}

/** A declared comparison on some metric, first arm less second. By itself it is exploratory: it gives no verdict. */
interface Compared {
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
interface CompareOptions<Better extends Metric['better'] = Metric['better']> {
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

/** What a comparison found, in one sentence for people; what was left out of it follows where there is any. */
export function formatVerdict(
  row: VerdictRow,
  metric: Pick<Metric, 'label' | 'unit'>,
  campaign: CampaignFile,
): string {
  const found = row.statistics ? `${formatDifference(row, metric)}: ` : '';
  return `${namesOf(row, campaign)}, ${metric.label}: ${found}${formatOutcome(row, metric, campaign)}${formatLeftOut(row)}`;
}

function namesOf({ comparison }: VerdictRow, campaign: CampaignFile): string {
  const { first, second, within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : `${campaign.compare === 'rules' ? ' over' : ' under'} ${within}`;
  return `${first} against ${second}${common}${network === null ? '' : ` on ${network}`}`;
}

/** As in "+212 kbit/s (95 % 180 to 240, won 33 of 36 pairs, p_Holm 0.0002)". */
function formatDifference({ statistics, holmP }: VerdictRow, { unit }: Pick<Metric, 'unit'>): string {
  const { mean, counts, test } = statistics!;
  const decimals = decimalsOf(mean.interval, mean.value);
  const [min, max] = mean.interval.map((end) => formatNumber(end, decimals));
  const tied = counts && counts.tied > 0 ? `, tied ${counts.tied}` : '';
  const won = counts
    ? `won ${counts.won}${tied} of ${formatCount(test.pairs, 'pair')}`
    : formatCount(test.pairs, 'pair');
  return `${formatSigned(mean.value, decimals)}${formatUnit(unit)} (95 % ${min} to ${max}, ${won}, p_Holm ${formatP(holmP!)})`;
}

function formatOutcome(row: VerdictRow, { unit }: Pick<Metric, 'unit'>, { margin }: CampaignFile): string {
  if (row.verdict === null) return `no verdict. ${row.why?.replace(/\.$/, '')}`;
  if (row.verdict !== 'cannot-tell') return row.verdict;
  const pairs = row.pairsForMargin;
  return pairs === null || pairs <= row.pairs.values.length
    ? 'cannot tell'
    : `cannot tell; some ${formatCount(pairs, 'pair')} would find ${margin}${formatUnit(unit)} with a chance of 80 %`;
}

function formatLeftOut(row: VerdictRow): string {
  const reasons = leftOutReasons(row);
  return reasons === null ? '' : `; of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}`;
}

/** As many as show two digits of the interval's width. */
function decimalsOf([min, max]: Interval, value: number): number {
  const size = max - min || Math.abs(value);
  return size > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size)))) : 0;
}

const formatUnit = (unit: string): string => (unit === '%' ? ' percentage points' : unit ? ` ${unit}` : '');
const formatP = (p: number): string => (p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2))));

/** Why a comparison is without pairs that were planned, counted: "2 without both logs, 1 …"; null where it has all. */
export function leftOutReasons({
  comparison,
  pairs,
}: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const { missing, flagged, unknown, copies } = pairs;
  const reasons = [
    [missing, 'without both logs'],
    [flagged, 'invalidated by host overload'],
    [unknown.first, `without a value for ${comparison.first}`],
    [unknown.second, `without a value for ${comparison.second}`],
    [unknown.both, 'without a value for either'],
    [copies, 'copies of another simulated session'],
  ] as const;
  const words = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return words.length > 0 ? words.join(', ') : null;
}
