import type { Column } from './columnsFrom.ts';
import type { RuleReport } from './ruleReport.ts';
import { plainTable } from '../../node/textTable.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { signedRank } from '../../src/analysis/statistics/rankTests.ts';
import { formatSigned } from '../../src/shared/format.ts';

export interface PairedInput {
  readonly reports: readonly RuleReport[];
  readonly columns: readonly Column[];
  /** Of the bootstrap. */
  readonly seed: number;
}

/**
 * The first rule against every other and against columns of a file, trace by trace: the mean difference of QoE per chunk with
 * its bootstrap interval, where the first rule was better, and the p of Wilcoxon's signed ranks.
 */
export function pairedTable({ reports, columns, seed }: PairedInput): string {
  const [first, ...others] = reports;
  const own = qoeOf(first!);
  const against = [
    ...others.map((report) => ({ name: report.rule, qoePerChunk: qoeOf(report) })),
    ...columns,
  ];
  const head = [`${first!.rule} minus`, 'QoE/chunk', '95 % interval', 'better in', 'equal in', 'Wilcoxon p'];
  const rows = against.map(({ name, qoePerChunk }) => {
    const differences = own.map((value, index) => value - qoePerChunk[index]!);
    return [name, ...cellsOf(differences, seed)];
  });
  return plainTable(head, rows);
}

function cellsOf(differences: readonly number[], seed: number): string[] {
  const { value, interval } = bootstrap(differences, mean, seed);
  const { p, zeros } = signedRank(differences);
  const better = differences.filter((each) => each > 0).length;
  return [
    formatSigned(value, 3),
    `${formatSigned(interval[0], 3)} … ${formatSigned(interval[1], 3)}`,
    `${better} of ${differences.length}`,
    String(zeros),
    p < 1e-4 ? p.toExponential(0) : p.toFixed(4),
  ];
}

const qoeOf = ({ perTrace }: RuleReport): readonly number[] => perTrace.map(({ qoePerChunk }) => qoePerChunk);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
