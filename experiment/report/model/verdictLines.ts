import { allSessions, type ReportSource, type ScoredSession, type ScoredSource } from '../reportSource.ts';
import { playbackHashesOf } from '../sessionSummary.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { differenceOf, type Judgement, type Verdict } from '../../../src/analysis/statistics/verdict.ts';
import { verdicts, type VerdictRow } from '../../verdict/verdicts.ts';
import type { ComparedStatistics, Estimate, NetworkMeans } from '../../verdict/compared.ts';
import { formatBothSigns, formatOnePair, formatRatio, leftOutReasons } from '../../verdict/formatVerdict.ts';
import { formatMargin, marginInUnit, marginOf } from '../../verdict/margin.ts';
import { hasOppositeSigns } from '../../verdict/judge.ts';
import { intervalCaution } from '../../verdict/cautions.ts';
import { rowPower, type RowPower } from '../../verdict/rowPower.ts';
import { survivalsOf, type Survival } from '../../verdict/survival.ts';
import type { Resolution } from '../../verdict/resolution.ts';
import type { Pairs, Unit } from '../../verdict/pairs.ts';
import type { Comparison } from '../../verdict/comparisons.ts';
import { armCount, factorsOf } from '../../factors/arms.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import {
  decimalsOf,
  formatCount,
  formatNumber,
  formatP,
  formatSigned,
  formatUnit,
} from '../../../src/shared/format.ts';
import { hierarchicalBootstrap } from '../../../src/analysis/statistics/hierarchical.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';

/** A declared comparison on the primary metric, ready to be read, drawn or written down. */
export interface VerdictLine {
  readonly comparison: Comparison;
  /** The two statements, and both in one word. null: there can be none yet, or never; the sentence says why. */
  readonly judgement: Judgement | null;
  readonly verdict: Verdict | null;
  /** The whole line in one sentence. */
  readonly sentence: string;
  /** Which pairs the line leaves out, and why; null where it has all. */
  readonly leftOut: string | null;
  readonly pairs: Omit<Pairs, 'values' | 'byNetwork' | 'networks' | 'lost' | 'censored'>;
  /**
   * Mean over pairs, first less second, with its 95 % interval. null without a pair; the interval also where the differences
   * have too few different values.
   */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Interval of `difference` with pairs drawn within networks too; null where the unit is the pair, or none has several. */
  readonly hierarchicalInterval: readonly [number, number] | null;
  /** Geometric mean of the ratios less 1, in %, with its 95 % interval; null where a value is not above 0. */
  readonly ratio: Estimate | null;
  /** The mean difference without any one pair: the least and the greatest. */
  readonly leaveOneOut: readonly [number, number] | null;
  /** Margin in the metric's unit; a margin in % is taken of the second arm's mean. */
  readonly margin: number;
  readonly means: { readonly first: number | null; readonly second: number | null };
  readonly won: number | null;
  readonly lost: number | null;
  readonly tied: number | null;
  /** p of the signed-rank test. `holmP` is that p after Holm's correction. */
  readonly p: number | null;
  readonly holmP: number | null;
  /** p of the Mann-Whitney test: blind to pairs, as the papers test; never for a verdict. */
  readonly mannWhitneyP: number | null;
  readonly cliffsDelta: number | null;
  /** Pairs that would find a difference as large as the margin, with the chance of `detectable`; null: not known. */
  readonly pairsForMargin: number | null;
  /** Smallest difference that these pairs find with the chance of `RowPower`; null: not known. */
  readonly detectable: number | null;
  /** Relevance that a margin of 2, 5 or 10 % would give. */
  readonly sensitivity: VerdictRow['sensitivity'];
  /** Difference between two sessions of one arm; absent where it was not measured. */
  readonly resolution?: Resolution;
  /** Means of the pairs by network; empty where all are of one. */
  readonly networks: readonly NetworkMeans[];
  /** Differences of all pairs or networks, first less second, ascending. */
  readonly differences: readonly number[];
  /** Whether the verdict survives each variant, in a sentence; absent where the campaign names none. */
  readonly robustTo?: readonly Pick<Survival, 'variant' | 'sentence'>[];
}

/** A metric that says what is better. */
export type JudgingMetric = Metric & { readonly better: NonNullable<Metric['better']> };

const known = new WeakMap<
  ScoredSource,
  { readonly metric: string; readonly lines: readonly VerdictLine[] }
>();

/** Computes the lines of a source once: verdict and figure stand on the same lines. */
export function verdictLines(source: ScoredSource, metric: JudgingMetric): readonly VerdictLine[] {
  const there = known.get(source);
  if (there?.metric === metric.id) return there.lines;
  const lines = linesOf(source, metric);
  known.set(source, { metric: metric.id, lines });
  return lines;
}

function linesOf(source: ScoredSource, metric: JudgingMetric): VerdictLine[] {
  const { plan } = source;
  const judgedOf = judging(source, metric);
  const rows = judgedOf(plan);
  const survivals = survivalsOf(plan, rows, judgedOf);
  return rows.map((row, index) => ({
    ...lineOf(row, { plan, metric, power: rowPower(plan.campaign, row) }),
    ...(source.variants && {
      robustTo: survivals[index]!.map(({ variant, sentence }) => ({ variant, sentence })),
    }),
  }));
}

/** Makes a function that judges plans with the sessions of a source and of its variants. */
function judging(source: ScoredSource, metric: JudgingMetric): (plan: CampaignPlan) => VerdictRow[] {
  const sources = [source, ...(source.variants ?? []).map((variant) => variant.source)];
  const all = sources.flatMap(allSessions);
  const values = new Map(all.map(({ id, values: of }) => [id, of[metric.id] ?? null]));
  const errors = all.flatMap(({ id, errors: of = {} }) => {
    const error = of[metric.id];
    return error === undefined ? [] : [[id, error] as const];
  });
  const options = {
    better: metric.better,
    isPositive: metric.isPositive === true,
    flagged: new Set(sources.flatMap(({ flagged }) => flagged.map(({ design }) => design.pair))),
    playbackHashes: playbackHashesOf(all),
    censored: censoredIn(all, metric.id),
    clockErrors: { unit: metric.unit, bySession: new Map(errors) },
  };
  return (plan) => verdicts(plan, values, options);
}

const censoredIn = (sessions: readonly ScoredSession[], metric: string): ReadonlySet<string> =>
  new Set(sessions.flatMap(({ id, lowerBound }) => (lowerBound?.includes(metric) === true ? [id] : [])));

function lineOf(
  row: VerdictRow,
  { plan, metric, power }: { plan: ReportSource['plan']; metric: Metric; power: RowPower },
): VerdictLine {
  const { comparison, statistics, pairs, judgement, verdict, holmP } = row;
  const { values, byNetwork } = pairs;
  const hierarchical = hierarchicalInterval({ byNetwork });
  return {
    comparison,
    judgement,
    verdict,
    holmP,
    pairsForMargin: power.pairsForMargin,
    detectable: power.detectable,
    sensitivity: row.sensitivity,
    ...(statistics?.resolution && { resolution: statistics.resolution }),
    networks: row.networks,
    margin: marginInUnit(marginOf(plan.campaign), meanAt(values, 1)),
    hierarchicalInterval: hierarchical,
    sentence: `${formatJudgement(row, { plan, metric, power })}${formatHierarchical(hierarchical, metric.unit)}`,
    leftOut: formatLeftOut(row),
    pairs: countsOf(pairs),
    means: { first: meanAt(values, 0), second: meanAt(values, 1) },
    ...(statistics ? numbersOf(statistics) : NO_NUMBERS),
    differences: values.map(([a, b]) => differenceOf(a, b)).sort((a, b) => a - b),
  };
}

const countsOf = ({
  values: _,
  byNetwork: _by,
  networks: _on,
  lost: _lost,
  censored: _censored,
  ...counts
}: Pairs): VerdictLine['pairs'] => counts;

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
  difference: null,
  interval: null,
  ratio: null,
  leaveOneOut: null,
  ...NO_COUNTS,
  p: null,
  mannWhitneyP: null,
  cliffsDelta: null,
};

const numbersOf = (statistics: ComparedStatistics): Numbers => {
  const { mean, ratio, leaveOneOut, counts, test, unpaired } = statistics;
  return {
    difference: mean.value,
    interval: mean.interval,
    ratio,
    leaveOneOut,
    ...(counts ?? NO_COUNTS),
    p: test.p,
    mannWhitneyP: unpaired.p,
    cliffsDelta: unpaired.cliffsDelta,
  };
};

const meanAt = (values: Pairs['values'], place: 0 | 1): number | null =>
  values.length === 0 ? null : values.reduce((sum, pair) => sum + pair[place], 0) / values.length;

interface About {
  readonly plan: CampaignPlan;
  readonly metric: Pick<Metric, 'label' | 'unit' | 'better'>;
  readonly power: RowPower;
}

/**
 * Formats a judgement as in "h3-racing loses 212 kbit/s (7.1 %) of mean bitrate to h2 on dvl, 95 % interval −240 to −180, won 3
 * of 36 pairs, p_Holm = 0.0002. The difference is beyond the margin of 50 kbit/s."
 */
function formatJudgement(row: VerdictRow, about: About): string {
  const numbers = formatNumbers(row, about);
  const place = placeOf(row, about.plan);
  if (row.verdict === null) {
    const rest = numbers === null ? '' : ` So far: ${numbers}.`;
    const { first, second } = row.comparison;
    return `No verdict on ${first} against ${second}${place}. ${row.why ?? ''}${rest}`;
  }
  const onePair = formatOnePair(row, about.metric);
  const carried = onePair === null ? '' : ` ${onePair.charAt(0).toUpperCase()}${onePair.slice(1)}.`;
  return `${claimOf(row, about)}${place}${numbers === null ? '' : `, ${numbers}`}.${formatRelevance(row, about)}${carried}${needed(row, about)}${formatCautions(row)}`;
}

/** Says what was not claimed although the numbers show it, and how far the interval can be trusted. */
const formatCautions = (row: VerdictRow): string =>
  [row.withheld, intervalCaution(row)]
    .filter((text) => text !== null)
    .map((text) => ` ${text}`)
    .join('');

function claimOf(row: VerdictRow, { plan, metric }: About): string {
  const { comparison, judgement, verdict, statistics } = row;
  const { first, second } = comparison;
  const { label, better, unit } = metric;
  const amount = amountOf(statistics, metric);
  if (verdict === 'equivalent')
    return `${first} and ${second} are equivalent in ${label}, within ± ${formatMargin(marginOf(plan.campaign), unit)}`;
  if (verdict === 'cannot-tell') return `${first} cannot be distinguished from ${second} in ${label}`;
  const isHigher = judgement?.direction === 'higher';
  if (hasOppositeSigns(row))
    return `${label} of ${first} is ${formatBothSigns(isHigher ? 'higher' : 'lower', unit)} than that of ${second}: ${formatSigned(statistics!.mean.value, decimalsOf(statistics!.mean.interval, statistics!.mean.value))}${formatUnit(unit)}, ${formatRatio(statistics!.ratio!)}`;
  if (better === 'lower')
    return `${first} has ${amount} ${isHigher ? 'more' : 'less'} ${label} than ${second}`;
  return isHigher
    ? `${first} gains ${amount} of ${label} on ${second}`
    : `${first} loses ${amount} of ${label} to ${second}`;
}

/** Formats an amount as in `212 kbit/s (7.1 %)`: percentage points have no percentage beside them. */
const amountOf = (statistics: VerdictRow['statistics'], { unit }: About['metric']): string => {
  if (!statistics) return '';
  const { mean, ratio } = statistics;
  const percent = ratio === null || unit === '%' ? '' : ` (${formatRatio(ratio)})`;
  return `${Math.abs(mean.value).toFixed(decimalsOf(mean.interval, mean.value))}${formatUnit(unit)}${percent}`;
};

/** Formats the second statement, where the claim has not said it. */
function formatRelevance({ judgement }: VerdictRow, { plan, metric }: About): string {
  if (judgement === null || judgement.direction === 'cannot-tell') return '';
  const margin = formatMargin(marginOf(plan.campaign), metric.unit);
  return judgement.relevance === 'undecided'
    ? ` Whether it exceeds the margin of ${margin} is undecided.`
    : ` The difference is ${judgement.relevance} the margin of ${margin}.`;
}

/** Formats difference, interval, pairs and p; the difference only where the claim has not said it. */
function formatNumbers(
  { statistics, holmP, judgement, pairs: { unit: counted } }: VerdictRow,
  { metric }: About,
): string | null {
  if (!statistics) return null;
  const isClaimed = judgement !== null && judgement.direction !== 'cannot-tell';
  return [
    ...(isClaimed ? [] : [formatDifference(statistics, metric)]),
    ...formatInterval(statistics, isClaimed ? metric.unit : ''),
    formatWon(statistics, counted),
    `p_Holm ${formatP(holmP ?? 1)}`,
  ].join(', ');
}

function formatDifference({ mean, ratio }: ComparedStatistics, { unit }: About['metric']): string {
  const percent = ratio === null || unit === '%' ? '' : ` (${formatRatio(ratio)})`;
  return `difference ${formatSigned(mean.value, decimalsOf(mean.interval, mean.value))}${formatUnit(unit)}${percent}`;
}

function formatInterval({ mean: { value, interval } }: ComparedStatistics, unit: string): string[] {
  if (interval === null) return [];
  const [min, max] = interval.map((end) => formatSigned(end, decimalsOf(interval, value)));
  return [`95 % interval ${min!} to ${max!}${formatUnit(unit)}`];
}

function formatWon({ counts, test }: ComparedStatistics, unit: Unit): string {
  const all = formatCount(test.pairs, unit);
  if (!counts) return all;
  return `better in ${counts.won} of ${all}${counts.tied > 0 ? `, ${counts.tied} tied` : ''}`;
}

/** Says where a comparison holds, and what both arms have in common where there is more than one of it. */
function placeOf({ comparison }: VerdictRow, { campaign }: CampaignPlan): string {
  const { within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : ` ${campaign.compare === 'rules' ? 'over' : 'under'} ${within}`;
  return `${common}${network === null ? '' : ` on ${network}`}`;
}

/** Says, for the verdict `cannot-tell` only, what these pairs could find, and how many would find a difference that matters. */
function needed({ verdict, pairs }: VerdictRow, { plan, metric, power }: About): string {
  if (verdict !== 'cannot-tell') return '';
  const { detectable, pairsForMargin, chance, why } = power;
  const { unit } = metric;
  const found =
    detectable === null
      ? why === null
        ? ''
        : ` ${why}`
      : ` These ${pairs.unit}s find a difference of ${formatNumber(detectable, decimalsOf(null, detectable))}${formatUnit(unit)} with a probability of ${chance}.`;
  if (pairsForMargin === null || pairsForMargin <= pairs.values.length) return found;
  return `${found} Some ${formatCount(pairsForMargin, pairs.unit)} would find one of ${formatMargin(marginOf(plan.campaign), unit)}.`;
}

/** Says which pairs a comparison is without, and why; null where it has all that were planned. */
function formatLeftOut(row: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const reasons = leftOutReasons(row);
  return reasons === null ? null : `Of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}.`;
}

/** Ends move by some 2 % of the width with the seed: enough beside the interval of the verdict. */
const DRAWS = { seed: 1, resamples: 4000 };

/**
 * The 95 % interval of the mean difference when pairs are drawn within networks as well as networks: shows whether a verdict
 * on networks depends on the pairs that each of them happened to have. null where the unit is the pair, or where no network
 * has several.
 */
export function hierarchicalInterval({ byNetwork }: Pick<Pairs, 'byNetwork'>): Interval | null {
  if (byNetwork === null || byNetwork.every(({ length }) => length < 2)) return null;
  const differences = byNetwork.map((pairs) => pairs.map(([first, second]) => differenceOf(first, second)));
  return hierarchicalBootstrap(differences, 0.95, DRAWS).interval;
}

/** A sentence after that of the verdict; empty without an interval. */
export function formatHierarchical(interval: Interval | null, unit: string): string {
  if (interval === null) return '';
  const [from, to] = interval.map((end) => formatSigned(end, decimalsOf(interval, end)));
  return ` With pairs drawn within networks as well, the 95 % interval is ${from!} to ${to!}${formatUnit(unit)}.`;
}
