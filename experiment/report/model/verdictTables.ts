import type { VerdictLine } from './verdictLines.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import { SENSITIVITY_PERCENTS } from '../../verdict/verdicts.ts';

/** The verdicts as numbers, a row for each declared comparison. */
export const verdictTable = (
  lines: readonly VerdictLine[],
  { label, unit }: Pick<Metric, 'label' | 'unit'>,
): ReportTable => ({
  id: 'verdicts',
  title: 'Verdicts in numbers',
  caption: `${label}${unit ? `, ${unit}` : ''}, first minus second: mean over pairs with its 95 % interval by bootstrap-t, and the least and greatest mean without any one pair; the ratio is the geometric mean over pairs; Wilcoxon’s signed-rank test before and after Holm’s correction. Direction and relevance are two statements: whether a difference is shown, and whether it matters. The columns at 2, 5 and 10 % say what the relevance would be with that margin. Detectable is the least difference that these pairs find with a probability of 80 % (of at least 80 % among several comparisons, of 75 to 90 % below 20 pairs), by simulation of this decision on their own differences; it is empty below 10 pairs and where many pairs do not differ. Mann–Whitney and Cliff’s delta ignore pairs; the papers use them, verdicts do not. Where the campaign infers about networks, each network is one value: won, lost and tied count networks, pairs and planned still count pairs.`,
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

/** What each network contributes to the verdicts over several; null where no verdict is over several. */
export function networkTable(
  lines: readonly VerdictLine[],
  { label, unit }: Pick<Metric, 'label' | 'unit'>,
): ReportTable | null {
  const rows = lines.flatMap(({ comparison: { first, second, within }, networks }) =>
    networks.map((each): Cell[] => [
      ...[first, second, within, each.network, each.pairs, each.first, each.second, each.difference],
      each.first > 0 && each.second > 0 ? 100 * (each.first / each.second - 1) : null,
    ]),
  );
  if (rows.length === 0) return null;
  return {
    id: 'verdicts-by-network',
    title: 'The verdicts by network',
    caption: `${label}${unit ? `, ${unit}` : ''}: means over the pairs of each network. Described only: the verdicts are over all networks together.`,
    columns: [
      ...['first', 'second', 'within', 'network'].map((name) => ({ label: name, isText: true })),
      ...['pairs', 'mean of first', 'mean of second', 'difference'].map((name) => ({ label: name })),
      { label: 'first over second, %', decimals: 1 },
    ],
    rows,
  };
}

const rowOf = (line: VerdictLine): Cell[] => {
  const { comparison, pairs, means, judgement, sensitivity } = line;
  return [
    ...[comparison.first, comparison.second, comparison.within, comparison.network ?? 'all'],
    ...[line.verdict, judgement?.direction, judgement?.relevance].map((word) => word ?? 'none'),
    ...[pairs.compared, pairs.planned, means.first, means.second, line.difference],
    ...endsOf(line.interval),
    ...endsOf(line.leaveOneOut),
    ...[line.ratio?.value ?? null, ...endsOf(line.ratio?.interval ?? null)],
    ...[line.won, line.lost, line.tied, line.p, line.holmP],
    ...[line.cliffsDelta, line.mannWhitneyP, line.pairsForMargin, line.detectable],
    ...SENSITIVITY_PERCENTS.map((percent) => sensitivity?.[percent] ?? null),
  ];
};

const endsOf = (interval: readonly [number, number] | null): (number | null)[] =>
  interval === null ? [null, null] : [...interval];
