import type { VerdictLine } from './verdictLines.ts';
import type { Metric } from '../../analysis/metrics/metric.ts';
import type { Cell, ReportTable } from '../reportTable.ts';

/** The verdicts as numbers, a row for each declared comparison. */
export const verdictTable = (
  lines: readonly VerdictLine[],
  { label, unit }: Pick<Metric, 'label' | 'unit'>,
): ReportTable => ({
  id: 'verdicts',
  title: 'Verdicts in numbers',
  caption: `${label}${unit ? `, ${unit}` : ''}, first minus second: mean over pairs with its 95 % bootstrap interval, Wilcoxon’s signed-rank test before and after Holm’s correction. Mann–Whitney and Cliff’s delta ignore pairs; the papers use them, verdicts do not.`,
  columns: [
    ...['first', 'second', 'within', 'network', 'verdict'].map((name) => ({ label: name, isText: true })),
    ...['pairs', 'planned', 'mean of first', 'mean of second', 'difference', 'from', 'to'].map((name) => ({
      label: name,
    })),
    ...['won', 'lost', 'tied'].map((name) => ({ label: name })),
    ...['p', 'p_Holm'].map((name) => ({ label: name })),
    { label: 'Cliff’s delta', decimals: 2 },
    { label: 'Mann–Whitney p' },
    { label: 'pairs needed for the margin' },
  ],
  rows: lines.map(rowOf),
});

const rowOf = (line: VerdictLine): Cell[] => {
  const { first, second, within, network } = line.comparison;
  const { pairs, means, interval } = line;
  return [
    ...[first, second, within, network ?? 'all', line.verdict ?? 'none'],
    ...[pairs.compared, pairs.planned, means.first, means.second],
    ...[line.difference, interval?.[0] ?? null, interval?.[1] ?? null],
    ...[line.won, line.lost, line.tied, line.p, line.holmP],
    ...[line.cliffsDelta, line.mannWhitneyP, line.pairsForMargin],
  ];
};
