import { intervalCaution, rarestSeen } from './cautions.ts';
import { hasOppositeSigns } from './judge.ts';
import { rowPower, type RowPower } from './rowPower.ts';
import { SENSITIVITY_PERCENTS, type VerdictRow } from './verdicts.ts';
import { restWithoutOne, type ComparedStatistics, type Estimate } from './compared.ts';
import type { Pairs } from './pairs.ts';
import { formatRareBound } from './formatRare.ts';
import { formatMargin, marginOf } from './margin.ts';
import { formatResolution } from './resolution.ts';
import { armCount, factorsOf } from '../factors/arms.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { Judgement, Verdict } from '../../src/analysis/statistics/verdict.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  decimalsOf,
  formatCount,
  formatNumber,
  formatP,
  formatSigned,
  formatUnit,
} from '../../src/shared/format.ts';

/** Says what a comparison found, in one sentence for people; what was left out of it follows where there is any. */
export function formatVerdict(
  row: VerdictRow,
  metric: Pick<Metric, 'label' | 'unit' | 'rareEvent'>,
  campaign: CampaignFile,
  power = rowPower(campaign, row),
): string {
  const found = row.statistics ? `${formatDifference(row, metric)}: ` : '';
  const onePair = formatOnePair(row, metric);
  const carried = onePair === null ? '' : `; ${onePair}`;
  return `${namesOf(row, campaign)}, ${metric.label}: ${found}${formatOutcome(row, metric, campaign, power)}${carried}${formatCautions(row)}${formatRare(row, metric)}${formatLeftOut(row)}`;
}

/** Formats the upper bounds of the shares of bad sessions; empty for a metric that is not 0 in most sessions. */
function formatRare({ comparison, pairs }: VerdictRow, metric: Pick<Metric, 'rareEvent'>): string {
  const values = pairs.byNetwork?.flat() ?? pairs.values;
  const arms = [comparison.first, comparison.second].map((name, arm) => ({
    name,
    bad: values.filter((both) => both[arm]! > 0).length,
    sessions: values.length,
  }));
  const bound = formatRareBound(metric, arms, RARE_ALPHA);
  return bound === null ? '' : `; ${bound}`;
}

/** Alpha of the bounds of shares: the same as that of the intervals. */
const RARE_ALPHA = 0.05;

function namesOf({ comparison }: VerdictRow, campaign: CampaignFile): string {
  const { first, second, within, network } = comparison;
  const compared = factorsOf(campaign).find(({ field }) => field === campaign.compare);
  const isOne = armCount(campaign) === compared?.values.length;
  const common = isOne ? '' : `${campaign.compare === 'rules' ? ' over' : ' under'} ${within}`;
  return `${first} against ${second}${common}${network === null ? '' : ` on ${network}`}`;
}

/** Formats a difference, as in "+212 kbit/s, +7.1 % (95 % 180 to 240, won 33 of 36 pairs, p_Holm = 0.0002)". */
export function formatDifference(
  { statistics, holmP, pairs: { unit: counted } }: VerdictRow,
  { unit }: Pick<Metric, 'unit'>,
): string {
  const { mean, ratio, counts, test } = statistics!;
  const decimals = decimalsOf(mean.interval, mean.value);
  const ends = mean.interval?.map((end) => formatNumber(end, decimals));
  const interval = ends ? `95 % ${ends[0]!} to ${ends[1]!}` : 'no interval';
  const percent = ratio === null || unit === '%' ? '' : `, ${formatRatio(ratio)}`;
  const tied = counts && counts.tied > 0 ? `, tied ${counts.tied}` : '';
  const won = counts
    ? `won ${counts.won}${tied} of ${formatCount(test.pairs, counted)}`
    : formatCount(test.pairs, counted);
  return `${formatSigned(mean.value, decimals)}${formatUnit(unit)}${percent} (${interval}, ${won}, p_Holm ${formatP(holmP!)})`;
}

/** Formats a ratio, as in `+7.1 %`, with as many decimals as its interval has two digits for. */
export const formatRatio = ({ value, interval }: Estimate): string =>
  `${formatSigned(value, decimalsOf(interval, value))} %`;

/** Formats both statements, as in "higher (better), beyond the margin of 50 kbit/s". */
function formatOutcome(
  row: VerdictRow,
  { unit }: Pick<Metric, 'unit'>,
  campaign: CampaignFile,
  power: RowPower,
): string {
  const { judgement, verdict } = row;
  if (judgement === null) return `no verdict. ${row.why?.replace(/\.$/, '')}`;
  const { direction } = judgement;
  const sides =
    direction !== 'cannot-tell' && hasOppositeSigns(row) ? formatBothSigns(direction, unit) : direction;
  const statements = formatStatements(judgement, {
    verdict: verdict!,
    margin: `margin of ${formatMargin(marginOf(campaign), unit)}`,
    sides,
  });
  if (statements !== CANNOT_TELL) return statements;
  return [CANNOT_TELL, ...formatPower(row, power, campaign, unit)].join('; ');
}

const CANNOT_TELL = 'cannot tell';

interface Statements {
  readonly verdict: Verdict;
  /** As in `margin of 50 kbit/s`. */
  readonly margin: string;
  /** The direction in words where it is not one for all. */
  readonly sides?: string;
}

/** Formats the two statements of a verdict in the words of all reports: campaigns and trials say them alike. */
export function formatStatements(
  { direction, relevance }: Judgement,
  { verdict, margin, sides = direction }: Statements,
): string {
  if (direction === 'cannot-tell')
    return relevance === 'inside' ? `equivalent: inside the ${margin}` : CANNOT_TELL;
  const side = relevance === 'undecided' ? `against the ${margin} undecided` : `${relevance} the ${margin}`;
  return `${sides} (${verdict.replace('-inside', '')}), ${side}`;
}

/** Formats `higher in kbit/s, lower in %`: where slow and fast networks differ in opposite ways, mean and mean ratio do too. */
export function formatBothSigns(direction: 'higher' | 'lower', unit: string): string {
  const other = direction === 'higher' ? 'lower' : 'higher';
  return `${direction} in ${unit === '' ? 'the mean' : unit}, ${other} in %`;
}

/** Says what these pairs could find, and how many would find the margin. */
function formatPower(
  { pairs }: VerdictRow,
  { detectable, pairsForMargin, chance, why }: RowPower,
  campaign: CampaignFile,
  unit: string,
): string[] {
  const units = pairs.values.length;
  const found =
    detectable === null
      ? why === null
        ? []
        : [why.replace(/\.$/, '')]
      : [
          `these ${pairs.unit}s find ${formatNumber(detectable, decimalsOf(null, detectable))}${formatUnit(unit)} with a chance of ${chance}`,
        ];
  const needed =
    pairsForMargin === null || pairsForMargin <= units
      ? []
      : [
          `some ${formatCount(pairsForMargin, pairs.unit)} would find ${formatMargin(marginOf(campaign), unit)}`,
        ];
  return [[...found, ...needed].join(', ')].filter((text) => text !== '');
}

/** Says what was not claimed although the numbers show it, and how far the interval can be trusted. */
export function formatCautions(row: VerdictRow): string {
  const caution = row.judgement === null ? null : intervalCaution(row);
  return [row.withheld, caution]
    .filter((text) => text !== null)
    .map((text) => `; ${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`)
    .join('');
}

/**
 * Says how far a verdict depends on one pair, on the number of pairs and on the margin: "leaving out any one pair: +180 to +214
 * kbit/s · detectable 31 kbit/s · two sessions of one arm differ by up to 0.4 % · margin 2 % beyond, 5 % beyond, 10 %
 * undecided". null without pairs.
 */
export function formatRobustness(
  { leaveOneOut, detectable, resolution, sensitivity, pairs, units }: Robustness,
  unit: string,
): string | null {
  const facts = [
    ...(leaveOneOut === null
      ? []
      : [`leaving out any one ${pairs.unit}: ${formatRange(leaveOneOut)}${formatUnit(unit)}`]),
    ...(detectable === null
      ? []
      : [`detectable ${formatNumber(detectable, decimalsOf(null, detectable))}${formatUnit(unit)}`]),
    ...(resolution && resolution.value > 0
      ? [`two sessions of one arm differ by up to ${formatResolution(resolution, unit)}`]
      : []),
    ...(units === undefined
      ? []
      : [`what happens in fewer than 1 of ${rarestSeen(units)} ${pairs.unit}s may be missing here`]),
    ...(sensitivity === null ? [] : [formatSensitivity(sensitivity)]),
  ];
  return facts.length === 0 ? null : facts.join(' · ');
}

function formatSensitivity(sensitivity: NonNullable<VerdictRow['sensitivity']>): string {
  const [first, ...others] = SENSITIVITY_PERCENTS.map((percent) => sensitivity[percent]);
  return others.every((each) => each === first)
    ? `with a margin of 2 to 10 % ${first}`
    : `margin ${SENSITIVITY_PERCENTS.map((percent) => `${percent} % ${sensitivity[percent]}`).join(', ')}`;
}

/** Numbers on the robustness of a verdict, as rows of verdicts and lines of reports have them. */
type Robustness = Pick<VerdictRow, 'sensitivity'> &
  Pick<RowPower, 'detectable'> &
  Pick<ComparedStatistics, 'leaveOneOut'> & {
    readonly resolution?: ComparedStatistics['resolution'];
    readonly pairs: Pick<Pairs, 'unit'>;
    /** How many pairs or networks are counted; absent in results of older versions. */
    readonly units?: number;
  };

/** Formats a range, as in `+35 to +61`, with two digits of its width. */
function formatRange(range: readonly [number, number]): string {
  const decimals = decimalsOf(range, range[0]);
  return range.map((end) => formatSigned(end, decimals)).join(' to ');
}

/** Says where one pair makes half of the difference or more: "one pair carries it: without it +0.04 kbit/s"; else null. */
export function formatOnePair(
  { judgement, statistics, pairs }: Pick<VerdictRow, 'judgement' | 'statistics' | 'pairs'>,
  { unit }: Pick<Metric, 'unit'>,
): string | null {
  if (judgement === null || judgement.direction === 'cannot-tell' || !statistics?.leaveOneOut) return null;
  const { mean, leaveOneOut } = statistics;
  const rest = restWithoutOne(mean.value, leaveOneOut);
  if (rest === null) return null;
  return `one ${pairs.unit} carries it: without it ${formatSigned(rest, decimalsOf(mean.interval, mean.value))}${formatUnit(unit)}`;
}

function formatLeftOut(row: VerdictRow): string {
  const reasons = leftOutReasons(row);
  return reasons === null ? '' : `; of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}`;
}

/** Says why a comparison is without pairs that were planned, counted: "2 with a missing log, 1 …"; null where it has all. */
export function leftOutReasons({
  comparison,
  pairs,
}: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const { missing, flagged, unknown, copies } = pairs;
  const reasons = [
    [missing, 'with a missing log'],
    [flagged, 'invalidated by host overload'],
    [unknown.first, `without a value for ${comparison.first}`],
    [unknown.second, `without a value for ${comparison.second}`],
    [unknown.both, 'without a value for either'],
    [copies, 'copies of another simulated session'],
  ] as const;
  const words = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return words.length > 0 ? words.join(', ') : null;
}
