import type { ReportSource } from '../reportSource.ts';
import { playbackHashesOf } from '../sessionSummary.ts';
import type { Metric } from '../../analysis/metrics/metric.ts';
import { differenceOf, type Judgement, type Verdict } from '../../analysis/statistics/verdict.ts';
import {
  formatPercent,
  leftOutReasons,
  SENSITIVITY_PERCENTS,
  verdicts,
  type ComparedStatistics,
  type Estimate,
  type VerdictRow,
} from '../../../experiment/verdict/verdicts.ts';
import { formatMargin, marginInUnit, marginOf } from '../../../experiment/verdict/margin.ts';
import type { Pairs } from '../../../experiment/verdict/pairs.ts';
import type { Comparison } from '../../../experiment/verdict/comparisons.ts';
import { formatHierarchical, hierarchicalInterval } from './hierarchicalLine.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import { armCount, factorsOf } from '../../../experiment/plan/factorsOf.ts';
import type { CampaignPlan } from '../../../experiment/plan/plan.ts';
import { formatCount, formatSigned } from '../../shared/format.ts';
import { decimalsOf, formatP, formatUnit } from '../format.ts';

/** A declared comparison on the primary metric, ready to be read, drawn or written down. */
export interface VerdictLine {
  readonly comparison: Comparison;
  /** The two statements, and both in one word. null: there can be none yet, or never; the sentence says why. */
  readonly judgement: Judgement | null;
  readonly verdict: Verdict | null;
  /** The whole of it in one sentence. */
  readonly sentence: string;
  /** Which pairs are not in it, and why; null where all are. */
  readonly leftOut: string | null;
  readonly pairs: Omit<Pairs, 'values' | 'byNetwork'>;
  /**
   * Mean over pairs, first less second, with its 95 % interval. null without a pair; the interval also where the differences
   * have too few different values.
   */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** The same with pairs drawn within networks as well; null where the unit is the pair, or no network has several. */
  readonly hierarchicalInterval: readonly [number, number] | null;
  /** Geometric mean of the ratios less 1, in %, with its 95 % interval; null where a value is not above 0. */
  readonly ratio: Estimate | null;
  /** The mean difference without any one pair: the least and the greatest. */
  readonly leaveOneOut: readonly [number, number] | null;
  /** In the metric's unit; a margin in % is taken of the second arm's mean. */
  readonly margin: number;
  readonly means: { readonly first: number | null; readonly second: number | null };
  readonly won: number | null;
  readonly lost: number | null;
  readonly tied: number | null;
  /** Of the signed-rank test, before and after Holm's correction. */
  readonly p: number | null;
  readonly holmP: number | null;
  /** Blind to pairs, as the papers test; never for a verdict. */
  readonly mannWhitneyP: number | null;
  readonly cliffsDelta: number | null;
  readonly pairsForMargin: number | null;
  /** The least difference that these pairs find with a chance of 80 %. */
  readonly detectable: number | null;
  /** What relevance would be with a margin of 2, 5 or 10 %. */
  readonly sensitivity: VerdictRow['sensitivity'];
  /** Of every pair, ascending. */
  readonly differences: readonly number[];
}

/** A metric that says what is better. */
export type JudgingMetric = Metric & { readonly better: NonNullable<Metric['better']> };

const known = new WeakMap<
  ReportSource,
  { readonly metric: string; readonly lines: readonly VerdictLine[] }
>();

/** Worked out once for a source: verdict and figure stand on the same lines. */
export function verdictLines(source: ReportSource, metric: JudgingMetric): readonly VerdictLine[] {
  const there = known.get(source);
  if (there?.metric === metric.id) return there.lines;
  const lines = linesOf(source, metric);
  known.set(source, { metric: metric.id, lines });
  return lines;
}

function linesOf({ plan, sessions, flagged }: ReportSource, metric: JudgingMetric): VerdictLine[] {
  const all = [...sessions, ...flagged];
  const values = new Map(all.map(({ id, values: of }) => [id, of[metric.id] ?? null]));
  const playbackHashes = playbackHashesOf(all);
  const invalidated = new Set(flagged.map(({ design }) => design.pair));
  return verdicts(plan, values, { better: metric.better, flagged: invalidated, playbackHashes }).map((row) =>
    lineOf(row, { plan, metric }),
  );
}

function lineOf(
  row: VerdictRow,
  { plan, metric }: { plan: ReportSource['plan']; metric: Metric },
): VerdictLine {
  const { comparison, statistics, pairs, judgement, verdict, holmP } = row;
  const { values, byNetwork, ...counts } = pairs;
  const hierarchical = hierarchicalInterval({ byNetwork });
  return {
    ...{ comparison, judgement, verdict, holmP },
    ...{ pairsForMargin: row.pairsForMargin, detectable: row.detectable, sensitivity: row.sensitivity },
    margin: marginInUnit(marginOf(plan.campaign), meanAt(values, 1)),
    hierarchicalInterval: hierarchical,
    sentence: `${formatJudgement(row, { plan, metric })}${formatHierarchical(hierarchical, metric.unit)}`,
    leftOut: formatLeftOut(row),
    pairs: counts,
    means: { first: meanAt(values, 0), second: meanAt(values, 1) },
    ...(statistics ? numbersOf(statistics) : NO_NUMBERS),
    differences: values.map(([a, b]) => differenceOf(a, b)).sort((a, b) => a - b),
  };
}

type Numbers = Pick<
  VerdictLine,
  | 'difference'
  | 'interval'
  | 'ratio'
  | 'leaveOneOut'
  | 'won'
  | 'lost'
  | 'tied'
  | 'p'
  | 'mannWhitneyP'
  | 'cliffsDelta'
>;

const NO_COUNTS = { won: null, lost: null, tied: null };
const NO_NUMBERS: Numbers = {
  ...{ difference: null, interval: null, ratio: null, leaveOneOut: null, ...NO_COUNTS, p: null },
  ...{ mannWhitneyP: null, cliffsDelta: null },
};

const numbersOf = (statistics: ComparedStatistics): Numbers => {
  const { mean, ratio, leaveOneOut, counts, test, unpaired } = statistics;
  return {
    ...{ difference: mean.value, interval: mean.interval, ratio, leaveOneOut },
    ...{ ...(counts ?? NO_COUNTS), p: test.p },
    ...{ mannWhitneyP: unpaired.p, cliffsDelta: unpaired.cliffsDelta },
  };
};

const meanAt = (values: Pairs['values'], place: 0 | 1): number | null =>
  values.length === 0 ? null : values.reduce((sum, pair) => sum + pair[place], 0) / values.length;

/** The verdicts as numbers, a row for each declared comparison. */
export const verdictTable = (
  lines: readonly VerdictLine[],
  { label, unit }: Pick<Metric, 'label' | 'unit'>,
): ReportTable => ({
  id: 'verdicts',
  title: 'Verdicts in numbers',
  caption: `${label}${unit ? `, ${unit}` : ''}, first minus second: mean over pairs with its 95 % interval by bootstrap-t, and the least and greatest mean without any one pair; the ratio is the geometric mean over pairs; Wilcoxon’s signed-rank test before and after Holm’s correction. Direction and relevance are two statements: whether a difference is shown, and whether it matters. The columns at 2, 5 and 10 % say what the relevance would be with that margin. Detectable is the least difference that these pairs find with a probability of 80 %. Mann–Whitney and Cliff’s delta ignore pairs; the papers use them, verdicts do not.`,
  columns: [
    ...['first', 'second', 'within', 'network', 'verdict', 'direction', 'relevance'].map((name) => ({
      label: name,
      isText: true,
    })),
    ...['pairs', 'planned', 'mean of first', 'mean of second', 'difference', 'from', 'to'].map((name) => ({
      label: name,
    })),
    ...['least without one pair', 'greatest without one pair'].map((name) => ({ label: name })),
    ...['ratio, %', 'ratio from, %', 'ratio to, %'].map((name) => ({ label: name, decimals: 1 })),
    ...['won', 'lost', 'tied'].map((name) => ({ label: name })),
    ...['p', 'p_Holm'].map((name) => ({ label: name })),
    { label: 'Cliff’s delta', decimals: 2 },
    { label: 'Mann–Whitney p' },
    { label: 'pairs needed for the margin' },
    { label: 'detectable' },
    ...SENSITIVITY_PERCENTS.map((percent) => ({ label: `at ${percent} %`, isText: true })),
  ],
  rows: lines.map(rowOf),
});

const rowOf = (line: VerdictLine): Cell[] => {
  const { first, second, within, network } = line.comparison;
  const { pairs, means, interval, judgement, leaveOneOut, ratio, sensitivity } = line;
  return [
    ...[first, second, within, network ?? 'all', line.verdict ?? 'none'],
    ...[judgement?.direction ?? 'none', judgement?.relevance ?? 'none'],
    ...[pairs.compared, pairs.planned, means.first, means.second],
    ...[line.difference, interval?.[0] ?? null, interval?.[1] ?? null],
    ...[leaveOneOut?.[0] ?? null, leaveOneOut?.[1] ?? null],
    ...[ratio?.value ?? null, ratio?.interval?.[0] ?? null, ratio?.interval?.[1] ?? null],
    ...[line.won, line.lost, line.tied, line.p, line.holmP],
    ...[line.cliffsDelta, line.mannWhitneyP, line.pairsForMargin, line.detectable],
    ...SENSITIVITY_PERCENTS.map((percent) => sensitivity?.[percent] ?? null),
  ];
};

interface About {
  readonly plan: CampaignPlan;
  readonly metric: Pick<Metric, 'label' | 'unit' | 'better'>;
}

/**
 * As in "h3-racing loses 212 kbit/s (7.1 %) of mean bitrate to h2 on dvl, 95 % interval −240 to −180, won 3 of 36 pairs,
 * p_Holm = 0.0002. The difference is beyond the margin of 50 kbit/s."
 */
function formatJudgement(row: VerdictRow, about: About): string {
  const numbers = formatNumbers(row, about);
  const place = placeOf(row, about.plan);
  if (row.verdict === null) {
    const rest = numbers === null ? '' : ` So far: ${numbers}.`;
    const { first, second } = row.comparison;
    return `No verdict on ${first} against ${second}${place}. ${row.why ?? ''}${rest}`;
  }
  return `${claimOf(row, about)}${place}${numbers === null ? '' : `, ${numbers}`}.${formatRelevance(row, about)}${needed(row, about)}`;
}

function claimOf(
  { comparison, judgement, verdict, statistics }: VerdictRow,
  { plan, metric }: About,
): string {
  const { first, second } = comparison;
  const { label, better, unit } = metric;
  const amount = amountOf(statistics, metric);
  if (verdict === 'equivalent')
    return `${first} and ${second} are equivalent in ${label}, within ± ${formatMargin(marginOf(plan.campaign), unit)}`;
  if (verdict === 'cannot-tell') return `${first} cannot be distinguished from ${second} in ${label}`;
  const isHigher = judgement?.direction === 'higher';
  if (better === 'lower')
    return `${first} has ${amount} ${isHigher ? 'more' : 'less'} ${label} than ${second}`;
  return isHigher
    ? `${first} gains ${amount} of ${label} on ${second}`
    : `${first} loses ${amount} of ${label} to ${second}`;
}

/** `212 kbit/s (7.1 %)`: percentage points have no percentage beside them. */
const amountOf = (statistics: VerdictRow['statistics'], { unit }: About['metric']): string => {
  if (!statistics) return '';
  const { mean, ratio } = statistics;
  const percent = ratio === null || unit === '%' ? '' : ` (${formatPercent(ratio)})`;
  return `${Math.abs(mean.value).toFixed(decimalsOf(mean.interval, mean.value))}${formatUnit(unit)}${percent}`;
};

/** The second statement, where the claim has not said it. */
function formatRelevance({ judgement }: VerdictRow, { plan, metric }: About): string {
  if (judgement === null || judgement.direction === 'cannot-tell') return '';
  const margin = formatMargin(marginOf(plan.campaign), metric.unit);
  return judgement.relevance === 'undecided'
    ? ` Whether it exceeds the margin of ${margin} cannot be told.`
    : ` The difference is ${judgement.relevance} the margin of ${margin}.`;
}

/** Difference, interval, pairs and p; the difference only where the claim has not said it. */
function formatNumbers(
  { statistics, holmP, judgement, pairs: { unit: counted } }: VerdictRow,
  { metric }: About,
): string | null {
  if (!statistics) return null;
  const { mean, ratio, counts, test } = statistics;
  const decimals = decimalsOf(mean.interval, mean.value);
  const saysIt = judgement !== null && judgement.direction !== 'cannot-tell';
  const percent = ratio === null || metric.unit === '%' ? '' : ` (${formatPercent(ratio)})`;
  const difference = saysIt
    ? ''
    : `difference ${formatSigned(mean.value, decimals)}${formatUnit(metric.unit)}${percent}, `;
  const ends = mean.interval?.map((end) => formatSigned(end, decimals));
  const interval = ends
    ? `95 % interval ${ends[0]!} to ${ends[1]!}${saysIt ? formatUnit(metric.unit) : ''}, `
    : '';
  const tied = counts && counts.tied > 0 ? `, ${counts.tied} tied` : '';
  const won = counts
    ? `better in ${counts.won} of ${formatCount(test.pairs, counted)}${tied}`
    : formatCount(test.pairs, counted);
  return `${difference}${interval}${won}, p_Holm ${formatP(holmP ?? 1)}`;
}

/** Where, and what both arms have in common where there is more than one of it. */
function placeOf({ comparison }: VerdictRow, { campaign }: CampaignPlan): string {
  const { within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : ` ${campaign.compare === 'rules' ? 'over' : 'under'} ${within}`;
  return `${common}${network === null ? '' : ` on ${network}`}`;
}

/** Only for the verdict `cannot-tell`: how many pairs would find a difference that matters. */
function needed({ verdict, pairs, pairsForMargin }: VerdictRow, { plan, metric }: About): string {
  if (verdict !== 'cannot-tell' || pairsForMargin === null || pairsForMargin <= pairs.values.length)
    return '';
  return ` Some ${formatCount(pairsForMargin, pairs.unit)} would find a difference of ${formatMargin(marginOf(plan.campaign), metric.unit)} with a probability of 80 %.`;
}

/** Which pairs a comparison is without, and why; null where it has all that were planned. */
function formatLeftOut(row: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const reasons = leftOutReasons(row);
  return reasons === null ? null : `Of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}.`;
}
