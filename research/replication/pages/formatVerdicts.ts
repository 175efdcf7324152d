import type { Aggregate, AggregateVerdict } from '../results/aggregate.ts';
import { formatSigns } from '../results/byNetwork.ts';
import { networkCount, networkGroups } from '../../../experiment/design/networks.ts';
import { formatMargin, marginOf } from '../../../experiment/verdict/margin.ts';
import { restWithoutOne, type Estimate } from '../../../experiment/verdict/compared.ts';
import { formatRatio } from '../../../experiment/verdict/formatVerdict.ts';
import { formatChance } from '../../../experiment/verdict/rowPower.ts';
import { verdictReach } from '../../../experiment/verdict/verdictReach.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';
import type { Judgement } from '../../../src/analysis/statistics/verdict.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { plain } from '../../../experiment/report/text/markdown.ts';
import {
  decimalsOf,
  formatCount,
  formatNumber,
  formatP,
  formatSigned,
  formatUnit,
} from '../../../src/shared/format.ts';

type Unit = Pick<Metric, 'unit'>;

/** Formats the verdicts of a page: what each comparison found, and before them what they hold for. */
export const formatVerdicts = (aggregate: Aggregate): string =>
  [formatBasis(aggregate), aggregate.verdicts.map((line) => formatLine(line, aggregate)).join('\n')].join(
    '\n\n',
  );

/** Formats what a verdict stands on: how many networks and repeats, and so what its interval can be about. */
function formatBasis({ campaign, verdicts }: Aggregate): string {
  const { per, contents, seeds, repeats, phase } = campaign;
  const [count, { size }] = [networkCount(campaign), networkGroups(campaign)];
  const perNetwork = repeats * seeds.length * contents.length;
  const start = phase === 'start' ? ', each from the same moment of it' : '';
  if (per === 'network' || count < 2)
    return `Each verdict stands on ${formatCount(perNetwork, 'repeat')} of one network${start}. Its interval shows how well the difference repeats there. It says nothing about other networks.`;
  const networks =
    size === count
      ? formatCount(count, 'network')
      : `${formatCount(count, 'trace')} of ${formatCount(size, 'network')} (traces of one household are one network)`;
  const isWhole = verdicts.every(({ pairs }) => pairs.compared === count * perNetwork);
  const stands = isWhole
    ? `Each verdict stands on ${formatCount(count * perNetwork, 'pair')}`
    : `Each verdict was planned on ${formatCount(count * perNetwork, 'pair')}, and stands on those that its line counts`;
  return `${stands}: ${networks}, ${formatCount(perNetwork, 'repeat')} of each. Its interval shows how much the mean depends on which of such networks were played.`;
}

/** Formats both statements in words: `higher, inside the margin of 100 kbit/s`. */
export function formatStatement(
  judgement: Judgement | null,
  campaign: Aggregate['campaign'],
  { unit }: Unit,
): string {
  if (judgement === null) return 'no verdict';
  const { direction, relevance } = judgement;
  const margin = `the margin of ${formatMargin(marginOf(campaign), unit)}`;
  if (direction === 'cannot-tell')
    return relevance === 'inside' ? `equivalent, inside ${margin}` : 'cannot tell';
  return `${direction}, ${relevance === 'undecided' ? `undecided against ${margin}` : `${relevance} ${margin}`}`;
}

function formatLine(line: AggregateVerdict, aggregate: Aggregate): string {
  const { comparison, judgement, sentence, leftOut } = line;
  const { first, second, within, network } = comparison;
  const place = network === null ? `under ${within}` : `on ${network}`;
  const parts =
    judgement === null
      ? [`: ${plain(sentence.replace(/\.$/, ''))}`]
      : statementParts(line, aggregate).map(plain);
  const left = leftOut === null ? '' : ` ${plain(leftOut)}`;
  return `- ${plain(`${first} against ${second} ${place}`)}: **${headOf(line, aggregate)}**${parts.join('; ')}.${left}`;
}

/** Formats the head of a line: `higher by 48 kbit/s`, `cannot tell`, `equivalent`. */
function headOf({ judgement, difference, interval }: AggregateVerdict, { primary }: Aggregate): string {
  if (judgement === null || difference === null) return 'no verdict';
  const { direction, relevance } = judgement;
  if (direction === 'cannot-tell') return relevance === 'inside' ? 'equivalent' : 'cannot tell';
  return `${direction} by ${formatNumber(Math.abs(difference), decimalsOf(interval, difference))}${formatUnit(primary.unit)}`;
}

/** Formats what follows the head: interval and percent, relevance, test, signs, and what the result depends on. */
function statementParts(line: AggregateVerdict, { campaign, primary, byNetwork }: Aggregate): string[] {
  const { comparison, holmP, pairs, detectable, judgement } = line;
  const signs = formatSigns(byNetwork, { ...comparison, metric: primary.id });
  const isShown = judgement!.direction !== 'cannot-tell';
  const sensed =
    isShown || detectable === null
      ? []
      : [
          `these pairs find ${formatSize(detectable)}${formatUnit(primary.unit)} with a probability of ${formatChance(line.differences.length, verdictReach(campaign).comparisons)}`,
        ];
  return [
    `${formatEstimate(line, primary)}`,
    formatRelevance(judgement!, campaign, primary),
    `p_Holm ${formatP(holmP ?? 1)}, ${formatCount(pairs.compared, 'pair')}`,
    ...(signs === null ? [] : [signs]),
    ...(isShown ? formatHinge(line, primary) : sensed),
  ];
}

/** Formats a size with two significant digits. */
const formatSize = (value: number): string => formatNumber(value, decimalsOf(null, value));

/** Formats ` (95 % interval 35 to 61), +23 % (+17 to +29)`, with the difference before it where no direction is shown. */
function formatEstimate(
  { difference, interval, ratio, judgement }: AggregateVerdict,
  { unit }: Unit,
): string {
  const isShown = judgement!.direction !== 'cannot-tell';
  const decimals = decimalsOf(interval, difference!);
  const ends = isShown && interval ? magnitudes(interval) : interval;
  const format = isShown ? formatNumber : formatSigned;
  const range = ends
    ? `95 % interval ${format(ends[0], decimals)} to ${format(ends[1], decimals)}`
    : 'no interval';
  const amount = isShown ? '' : `, ${formatSigned(difference!, decimals)}${formatUnit(unit)}`;
  return `${amount} (${range})${unit === '%' || ratio === null ? '' : `, ${formatRatioRange(ratio)}`}`;
}

/** Returns the magnitudes of an interval on one side of 0, ascending. */
const magnitudes = ([from, to]: Interval): Interval => (from < 0 ? [-to, -from] : [from, to]);

function formatRatioRange(ratio: Estimate): string {
  const decimals = decimalsOf(ratio.interval, ratio.value);
  const ends = ratio.interval?.map((end) => formatSigned(end, decimals));
  return `${formatRatio(ratio)}${ends ? ` (${ends[0]!} to ${ends[1]!})` : ''}`;
}

function formatRelevance({ relevance }: Judgement, campaign: Aggregate['campaign'], { unit }: Unit): string {
  const margin = `the margin of ${formatMargin(marginOf(campaign), unit)}`;
  return relevance === 'undecided' ? `whether it exceeds ${margin} is undecided` : `${relevance} ${margin}`;
}

/** Says that one pair carries the mean, if less than half is left without it; else what is left without any one pair. */
function formatHinge({ leaveOneOut, difference, differences }: AggregateVerdict, { unit }: Unit): string[] {
  if (leaveOneOut === null || difference === null) return [];
  const [min, max] = leaveOneOut;
  const decimals = decimalsOf(leaveOneOut, difference);
  const rest = restWithoutOne(difference, leaveOneOut);
  if (rest === null)
    return [`without any one pair ${formatSigned(min, decimals)} to ${formatSigned(max, decimals)}`];
  const pair = difference > 0 ? Math.max(...differences) : Math.min(...differences);
  return [
    `one pair of ${formatSigned(pair, decimalsOf(null, pair / 10))}${formatUnit(unit)} carries it, without this pair it is ${formatSigned(rest, decimalsOf(null, rest))}`,
  ];
}
