import { formatLeftOut, formatJudgement } from './formatJudgement.ts';
import type { ReportSource } from '../reportSource.ts';
import { playbackHashesOf } from '../sessionSummary.ts';
import type { Metric } from '../../analysis/metrics/metric.ts';
import type { Verdict } from '../../analysis/statistics/verdict.ts';
import type { ComparedStatistics } from '../../../experiment/verdict/compared.ts';
import type { Comparison } from '../../../experiment/verdict/declaredComparisons.ts';
import type { Pairs } from '../../../experiment/verdict/pairsOf.ts';
import { verdicts, type VerdictRow } from '../../../experiment/verdict/verdicts.ts';
import { differenceOf } from '../../analysis/statistics/verdict.ts';
import type { Cell, ReportTable } from '../reportTable.ts';

/** A declared comparison on the primary metric, ready to be read, drawn or written down. */
export interface VerdictLine {
  readonly comparison: Comparison;
  /** null: there can be none yet, or never; the sentence says why. */
  readonly verdict: Verdict | null;
  /** The whole of it in one sentence. */
  readonly sentence: string;
  /** Which pairs are not in it, and why; null where all are. */
  readonly leftOut: string | null;
  readonly pairs: Omit<Pairs, 'values'> & { readonly compared: number };
  /** Mean over pairs, first less second, with its 95 % interval; null without a pair. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
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
  const { comparison, statistics, pairs } = row;
  const { values, ...counts } = pairs;
  return {
    ...{ comparison, verdict: row.verdict, pairsForMargin: row.pairsForMargin, holmP: row.holmP },
    sentence: formatJudgement(row, { plan, metric }),
    leftOut: formatLeftOut(row),
    pairs: { ...counts, compared: values.length },
    means: { first: meanAt(values, 0), second: meanAt(values, 1) },
    ...(statistics ? numbersOf(statistics) : NO_NUMBERS),
    differences: values.map(([a, b]) => differenceOf(a, b)).sort((a, b) => a - b),
  };
}

type Numbers = Pick<
  VerdictLine,
  'difference' | 'interval' | 'won' | 'lost' | 'tied' | 'p' | 'mannWhitneyP' | 'cliffsDelta'
>;

const NO_COUNTS = { won: null, lost: null, tied: null };
const NO_NUMBERS: Numbers = {
  ...{ difference: null, interval: null, ...NO_COUNTS, p: null },
  ...{ mannWhitneyP: null, cliffsDelta: null },
};

const numbersOf = ({ mean, counts, test, unpaired }: ComparedStatistics): Numbers => ({
  ...{ difference: mean.value, interval: mean.interval, ...(counts ?? NO_COUNTS), p: test.p },
  ...{ mannWhitneyP: unpaired.p, cliffsDelta: unpaired.cliffsDelta },
});

const meanAt = (values: Pairs['values'], place: 0 | 1): number | null =>
  values.length === 0 ? null : values.reduce((sum, pair) => sum + pair[place], 0) / values.length;

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
