import { type SessionValues, pairsOf, type NamesOfPairs, type Pairs, type PlaybackHashes } from './pairs.ts';
import type { CampaignPlan } from '../plan/plan.ts';
import { verdictReach } from './verdictReach.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  differenceOf,
  directionOf,
  holm,
  pairCounts,
  relevanceOf,
  verdictOf,
  type Direction,
  type Judgement,
  type PairCounts,
  type Relevance,
  type Verdict,
} from '../../src/analysis/statistics/verdict.ts';
import { detectableShift, pairsNeeded } from '../../src/analysis/statistics/power.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { meanTest, type MeanTest } from '../../src/analysis/statistics/meanIntervals.ts';
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
import { formatMargin, logBound, marginOf } from './margin.ts';
import { decimalsOf, formatUnit } from '../../src/report/format.ts';

/** A comparison on the campaign's primary metric. */
export interface VerdictRow extends Compared {
  /** Of the signed-rank test, after Holm's correction over all comparisons of the campaign; null without a pair. */
  readonly holmP: number | null;
  /** null where there can be none yet, or never; `why` then says so in a sentence. */
  readonly judgement: Judgement | null;
  /** Both statements in one word, for the viewer; null with `judgement`. */
  readonly verdict: Verdict | null;
  readonly why: string | null;
  /** With the spread seen here, to find a difference as large as the margin with a chance of 80 %; null: not known. */
  readonly pairsForMargin: number | null;
  /** The least difference that these pairs find with a chance of 80 %, in the metric's unit; null below two pairs. */
  readonly detectable: number | null;
  /** What relevance would be with another margin, by the margin in %; null where there is no ratio. */
  readonly sensitivity: Readonly<Record<SensitivityPercent, Relevance>> | null;
}

/** Margins in % that a reader may have chosen instead. */
export const SENSITIVITY_PERCENTS = [2, 5, 10] as const;
type SensitivityPercent = (typeof SENSITIVITY_PERCENTS)[number];

/** Judges every declared comparison; `better` is that of the primary metric, whose values these are. */
export function verdicts(
  plan: CampaignPlan,
  values: SessionValues,
  options: CompareOptions<NonNullable<Metric['better']>>,
): VerdictRow[] {
  const { campaign } = plan;
  const rows = compared(plan, values, options);
  // A comparison without pairs stays in the family: what is declared is corrected for, not what could be played.
  const corrected = holm(rows.map(({ statistics }) => statistics?.test.p ?? 1));
  const margin = marginOf(campaign);
  const relevances = margin.isPercent
    ? ratioRelevances(rows, margin.value, campaign)
    : relevancesOf(
        rows.map(({ statistics }) => statistics?.tests.difference ?? null),
        margin.value,
        campaign,
      );
  const sensitivities = SENSITIVITY_PERCENTS.map((percent) => ratioRelevances(rows, percent, campaign));
  return rows.map((row, index) => {
    const { statistics } = row;
    const holmP = statistics ? corrected[index]! : null;
    const why = whyNone(plan, row);
    const judgement =
      why === null ? judged(row, { campaign, holmP: holmP!, relevance: relevances[index]! }) : null;
    return {
      ...row,
      ...{ holmP, why, judgement },
      verdict: judgement && verdictOf(judgement, options.better),
      pairsForMargin: pairsForMargin(plan, row),
      detectable: detectable(plan, row),
      sensitivity: statistics?.ratio ? sensitivityOf(sensitivities.map((each) => each[index]!)) : null,
    };
  });
}

const sensitivityOf = (relevances: readonly Relevance[]): NonNullable<VerdictRow['sensitivity']> =>
  Object.fromEntries(
    SENSITIVITY_PERCENTS.map((percent, place) => [percent, relevances[place]!]),
  ) as NonNullable<VerdictRow['sensitivity']>;

function whyNone({ campaign }: CampaignPlan, { pairs, statistics }: Compared): string | null {
  const { isWithinReach, pairsNeeded: needed } = verdictReach(campaign);
  const count = pairs.values.length;
  const units = `${pairs.unit}s`;
  if (!isWithinReach) return `The design has too few ${units} for any verdict: it needs at least ${needed}.`;
  if (count < needed)
    return pairs.copies > 0
      ? `Only ${count} of the ${needed} independent ${units} that a verdict needs are available: under equal conditions the simulator gives copies.`
      : `Only ${count} of the ${needed} ${units} that a verdict needs are available.`;
  return statistics?.mean.interval === null
    ? `The differences of ${formatCount(count, pairs.unit)} have too few different values for an interval of their mean.`
    : null;
}

/** Where no direction is shown, a relevance beyond the margin would claim one. */
function judged(
  { statistics }: Compared,
  { campaign, holmP, relevance }: { campaign: CampaignFile; holmP: number; relevance: Relevance },
): Judgement {
  const { mean, test } = statistics!;
  const rankBalance = test.positive - test.negative;
  const direction: Direction = directionOf({
    ...{ interval: mean.interval, rankBalance, holmP, alpha: campaign.alpha },
  });
  const isUnshown = direction === 'cannot-tell' && relevance === 'beyond';
  return { direction, relevance: isUnshown ? 'undecided' : relevance };
}

/** Of each comparison, corrected over all of them: two families of one-sided tests, one for each claim. */
function relevancesOf(
  tests: readonly (MeanTest | null)[],
  margin: number,
  { alpha }: Pick<CampaignFile, 'alpha'>,
): Relevance[] {
  const inside = holm(tests.map((test) => (test ? Math.max(test.pBelow(margin), test.pAbove(-margin)) : 1)));
  const beyond = holm(
    tests.map((test) => (test ? Math.min(1, 2 * Math.min(test.pAbove(margin), test.pBelow(-margin))) : 1)),
  );
  return tests.map((test, index) =>
    relevanceOf({
      ...{ interval: test?.interval(CONFIDENCE) ?? null, margin, alpha },
      ...{ insideP: inside[index]!, beyondP: beyond[index]! },
    }),
  );
}

const ratioRelevances = (
  rows: readonly Compared[],
  percent: number,
  campaign: Pick<CampaignFile, 'alpha'>,
): Relevance[] =>
  relevancesOf(
    rows.map(({ statistics }) => statistics?.tests.logRatio ?? null),
    logBound(percent),
    campaign,
  );

/** Differences as the margin is declared: in the metric's unit, or logarithms of ratios. */
function spreadFor({ campaign }: CampaignPlan, { pairs, statistics }: Compared): number | null {
  const { values } = pairs;
  if (!statistics || values.length < 2) return null;
  if (!marginOf(campaign).isPercent) return deviationOf(differencesOf(values));
  return statistics.ratio === null ? null : deviationOf(logRatiosOf(values)!);
}

function pairsForMargin(plan: CampaignPlan, row: Compared): number | null {
  const deviation = spreadFor(plan, row);
  if (deviation === null) return null;
  const { comparisons, pairsNeeded: min } = verdictReach(plan.campaign);
  const { value, isPercent } = marginOf(plan.campaign);
  const needed = pairsNeeded({
    ...{ shift: isPercent ? logBound(value) : value, deviation },
    alpha: plan.campaign.alpha / comparisons,
  });
  return needed === null ? null : Math.max(min, needed);
}

function detectable({ campaign }: CampaignPlan, { pairs: { values } }: Compared): number | null {
  if (values.length < 2) return null;
  const { comparisons } = verdictReach(campaign);
  const deviation = deviationOf(differencesOf(values));
  return detectableShift({ deviation, alpha: campaign.alpha / comparisons }, values.length);
}

const differencesOf = (values: Pairs['values']): number[] => values.map(([a, b]) => differenceOf(a, b));

/** null where a value is not above 0: it has no ratio. */
const logRatiosOf = (values: Pairs['values']): number[] | null =>
  values.every((pair) => pair.every((value) => value > 0))
    ? values.map(([a, b]) => (differenceOf(a, b) === 0 ? 0 : Math.log(a / b)))
    : null;

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** A declared comparison on some metric, first arm less second. By itself it is exploratory: it gives no verdict. */
interface Compared {
  readonly comparison: Comparison;
  readonly pairs: Pairs;
  /** null without a pair. */
  readonly statistics: ComparedStatistics | null;
}

/** An estimate with its 95 % interval; null where there are too few different values for one. */
export interface Estimate {
  readonly value: number;
  readonly interval: Interval | null;
}

export interface ComparedStatistics {
  /** Of the differences, in the metric's unit: by bootstrap-t. */
  readonly mean: Estimate;
  /** Geometric mean of the ratios first to second, less 1, in %; null where a value is not above 0. */
  readonly ratio: Estimate | null;
  /** The least and the greatest mean difference when any one pair is left out; null below three pairs. */
  readonly leaveOneOut: Interval | null;
  readonly test: SignedRank;
  /** null for a metric that only describes. */
  readonly counts: PairCounts | null;
  /** As the papers test, blind to pairs; never for a verdict. */
  readonly unpaired: MannWhitney;
  /** For bounds other than 0; `logRatio` is null where `ratio` is. */
  readonly tests: { readonly difference: MeanTest; readonly logRatio: MeanTest | null };
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

/** Ends move by some 1 % of the width with the seed. */
const RESAMPLES = 10_000;
const CONFIDENCE = 0.95;

function statisticsOf(
  { values }: Pairs,
  { better, resamples = RESAMPLES }: CompareOptions,
): ComparedStatistics | null {
  const [first, second] = [values.map(([a]) => a), values.map(([, b]) => b)];
  const unpaired = mannWhitney(first, second);
  if (!unpaired) return null;
  const differences = differencesOf(values);
  const logRatios = logRatiosOf(values);
  const draws = { seed: 1, resamples };
  const difference = meanTest(differences, draws);
  const logRatio = logRatios && meanTest(logRatios, draws);
  return {
    mean: { value: difference.value, interval: difference.interval(CONFIDENCE) },
    ratio: logRatio && ratioOf(logRatio),
    leaveOneOut: leaveOneOut(differences),
    test: signedRank(differences, { zeroMethod: 'pratt' }),
    counts: better === null ? null : pairCounts(differences, better),
    ...{ unpaired, tests: { difference, logRatio } },
  };
}

function ratioOf(logRatio: MeanTest): Estimate {
  const percent = (log: number): number => 100 * Math.expm1(log);
  const ends = logRatio.interval(CONFIDENCE);
  return { value: percent(logRatio.value), interval: ends && [percent(ends[0]), percent(ends[1])] };
}

function leaveOneOut(differences: readonly number[]): Interval | null {
  const rest = differences.length - 1;
  if (rest < 2) return null;
  const sum = differences.reduce((total, each) => total + each, 0);
  return [(sum - Math.max(...differences)) / rest, (sum - Math.min(...differences)) / rest];
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

/** As in "+212 kbit/s, +7.1 % (95 % 180 to 240, won 33 of 36 pairs, p_Holm 0.0002)". */
function formatDifference(
  { statistics, holmP, pairs: { unit: counted } }: VerdictRow,
  { unit }: Pick<Metric, 'unit'>,
): string {
  const { mean, ratio, counts, test } = statistics!;
  const decimals = decimalsOf(mean.interval, mean.value);
  const ends = mean.interval?.map((end) => formatNumber(end, decimals));
  const interval = ends ? `95 % ${ends[0]!} to ${ends[1]!}` : 'no interval';
  const percent = ratio === null || unit === '%' ? '' : `, ${formatPercent(ratio)}`;
  const tied = counts && counts.tied > 0 ? `, tied ${counts.tied}` : '';
  const won = counts
    ? `won ${counts.won}${tied} of ${formatCount(test.pairs, counted)}`
    : formatCount(test.pairs, counted);
  return `${formatSigned(mean.value, decimals)}${formatUnit(unit)}${percent} (${interval}, ${won}, p_Holm ${formatP(holmP!)})`;
}

/** `+7.1 %`: as many decimals as its interval has two digits for. */
export const formatPercent = ({ value, interval }: Estimate): string =>
  `${formatSigned(value, decimalsOf(interval, value))} %`;

/** Both statements: "higher (better), beyond the margin of 50 kbit/s". */
function formatOutcome(row: VerdictRow, { unit }: Pick<Metric, 'unit'>, campaign: CampaignFile): string {
  const { judgement, verdict } = row;
  if (judgement === null) return `no verdict. ${row.why?.replace(/\.$/, '')}`;
  const margin = `margin of ${formatMargin(marginOf(campaign), unit)}`;
  const { direction, relevance } = judgement;
  if (direction !== 'cannot-tell') {
    const side = relevance === 'undecided' ? `against the ${margin} undecided` : `${relevance} the ${margin}`;
    return `${direction} (${verdict!.replace('-inside', '')}), ${side}`;
  }
  if (relevance === 'inside') return `equivalent: inside the ${margin}`;
  const pairs = row.pairsForMargin;
  return pairs === null || pairs <= row.pairs.values.length
    ? 'cannot tell'
    : `cannot tell; some ${formatCount(pairs, row.pairs.unit)} would find ${formatMargin(marginOf(campaign), unit)} with a chance of 80 %`;
}

function formatLeftOut(row: VerdictRow): string {
  const reasons = leftOutReasons(row);
  return reasons === null ? '' : `; of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}`;
}

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
