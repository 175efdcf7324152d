import type { Aggregate, AggregateVerdict } from '../results/aggregate.ts';
import { isWithdrawn } from '../results/withdrawn.ts';
import type { Reproduction } from './paperPage.ts';
import { formatStatement } from './formatVerdicts.ts';
import type { Estimate } from '../../../experiment/verdict/compared.ts';
import { formatRatio } from '../../../experiment/verdict/formatVerdict.ts';
import { SENSITIVITY_PERCENTS } from '../../../experiment/verdict/verdicts.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';
import type { Cell } from '../../../experiment/report/reportTable.ts';
import { formatGrid } from '../../../experiment/report/text/markdown.ts';
import {
  decimalsOf,
  formatCount,
  formatNumber,
  formatSigned,
  formatUnit,
} from '../../../src/shared/format.ts';

/** Every verdict of the committed results, as it was first published and as it is scored now. */
export function formatRescored(reproductions: readonly Reproduction[]): string {
  const results = reproductions
    .flatMap(({ results: { scaled, full } }) => [scaled, full])
    .filter((each) => each !== null);
  const lines = results.flatMap((aggregate) => aggregate.verdicts);
  const words = results.flatMap((aggregate) => aggregate.verdicts.map((line) => wordNow(line, aggregate)));
  const older = lines.filter(({ earlier }) => earlier !== undefined);
  const others = lines.length - older.length;
  const rest = others === 0 ? '' : `; ${formatCount(others, 'verdict')} with the method of now`;
  return [
    `${formatCount(lines.length, 'verdict')}. As first published: ${formatTally(older.map(wordBefore))}${rest}. Now: ${formatTally(words)}.`,
    formatGrid({
      columns: [...COLUMNS, ...SENSITIVITY_PERCENTS.map((percent) => `at ${percent} %`)].map((label) => ({
        label,
        isText: true,
      })),
      rows: results.flatMap((aggregate) => aggregate.verdicts.map((line) => rowOf(line, aggregate))),
    }),
  ].join('\n\n');
}

const COLUMNS = [
  ...['campaign', 'comparison', 'first published', '95 % then (BCa)', 'now', 'difference'],
  ...['95 % now (bootstrap-t)', 'percent, with 95 %', 'without any one pair', 'detectable'],
];

function rowOf(line: AggregateVerdict, aggregate: Aggregate): Cell[] {
  const { campaign, primary } = aggregate;
  const { comparison, earlier, difference, interval, ratio, leaveOneOut, detectable, sensitivity } = line;
  const { first, second, within, network } = comparison;
  const decimals = decimalsOf(interval, difference ?? 0);
  return [
    campaign.name,
    `${first} against ${second}, ${network ?? within}`,
    wordBefore(line),
    formatRange(earlier?.interval ?? null, decimals),
    formatNow(line, aggregate),
    difference === null ? null : `${formatSigned(difference, decimals)}${formatUnit(primary.unit)}`,
    formatRange(interval, decimals),
    formatRatioRange(ratio),
    formatRange(leaveOneOut, decimals),
    detectable === null ? null : formatNumber(detectable, decimalsOf(null, detectable)),
    ...SENSITIVITY_PERCENTS.map((percent) => sensitivity?.[percent] ?? null),
  ];
}

export const formatRange = (range: Interval | null, decimals: number): Cell =>
  range && `${formatSigned(range[0], decimals)} to ${formatSigned(range[1], decimals)}`;

export const formatRatioRange = (ratio: Estimate | null): Cell =>
  ratio &&
  `${formatRatio(ratio)} (${formatRange(ratio.interval, decimalsOf(ratio.interval, ratio.value)) ?? 'no interval'})`;

/** Results that were first published with the present method have no other verdict. */
export const wordBefore = ({ earlier }: Pick<AggregateVerdict, 'earlier'>): string =>
  earlier === undefined ? 'as now' : (earlier.verdict ?? 'no verdict').replace('-', ' ');

/** A verdict as it is scored now; one whose values are withdrawn keeps its numbers and loses its word. */
export const formatNow = ({ judgement }: AggregateVerdict, aggregate: Aggregate): string =>
  isWithdrawn(aggregate, aggregate.primary.id)
    ? WITHDRAWN
    : formatStatement(judgement, aggregate.campaign, aggregate.primary);

const WITHDRAWN = 'withdrawn';

const wordNow = ({ judgement }: AggregateVerdict, aggregate: Aggregate): string => {
  if (isWithdrawn(aggregate, aggregate.primary.id)) return WITHDRAWN;
  if (judgement === null) return 'no verdict';
  const { direction, relevance } = judgement;
  if (direction !== 'cannot-tell')
    return relevance === 'undecided'
      ? 'a direction, relevance undecided'
      : `a direction, ${relevance} the margin`;
  return relevance === 'inside' ? 'equivalent' : 'cannot tell';
};

/** `14 equivalent, 4 better`. */
const formatTally = (words: readonly string[]): string =>
  [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`).join(' · ');
