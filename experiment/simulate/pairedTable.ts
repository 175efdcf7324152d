import { plainTable } from '../../node/textTable.ts';
import { readText } from '../../node/files.ts';
import { signedRank } from '../../src/analysis/statistics/rankTests.ts';
import { differenceOf } from '../../src/analysis/statistics/verdict.ts';
import { formatSigned } from '../../src/shared/format.ts';
import type { RuleReport } from './simTable.ts';
import { formatInterval, meanByNetwork, meanOverNetworks, type TraceNetworks } from './traceNetworks.ts';
import { parseCsv } from '../../src/shared/csv.ts';

/** QoE that somebody else got on each trace, in the order of the traces asked for. */
export interface Column {
  readonly name: string;
  /** QoE per chunk, as the table of a run has it. */
  readonly qoePerChunk: readonly number[];
  /** Rounding of the file, in QoE per chunk: values that are this near may be the same. */
  readonly resolution: number;
}

/**
 * Reads the columns of a CSV file with a line per trace: its name under `trace`, and under every other head the QoE of a
 * session, summed over all chunks but the first, of which there are `chunks`. @throws Error in one sentence
 */
export async function columnsFrom(
  file: string,
  { traces, chunks }: { traces: readonly string[]; chunks: number },
): Promise<readonly Column[]> {
  const { columns, rows } = traceTable(await readText(file), file);
  if (columns.length < 2)
    throw new Error(`${file}: The first line must name a column "trace" and one or more beside it.`);
  return columns.flatMap((name, column) => {
    if (name === 'trace') return [];
    const cells = traces.map((trace) => cellOf(trace, column));
    const qoePerChunk = cells.map((cell) => Number(cell) / chunks);
    return [{ name, qoePerChunk, resolution: roundingOf(cells) / chunks }];
  });

  function cellOf(trace: string, column: number): string {
    const row = rows.get(trace);
    if (!row) throw new Error(`${file}: There is no line for the trace ${trace}.`);
    const cell = row.cells[column] ?? '';
    if (cell === '' || !Number.isFinite(Number(cell)))
      throw new Error(`${file}: "${cell}" in the line of ${trace} is not a number.`);
    return cell;
  }
}

/** Returns half of the last decimal that a column of numbers has. */
const roundingOf = (cells: readonly string[]): number => 0.5 * 10 ** -Math.max(...cells.map(decimalsIn));

/** Counts the decimals of a cell: `0.250` has three, `12` none, `1.5e-3` four. */
function decimalsIn(cell: string): number {
  const [, decimals = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(cell) ?? [];
  return Math.max(0, decimals.length - Number(exponent));
}

interface PairedInput {
  readonly reports: readonly RuleReport[];
  readonly columns: readonly Column[];
  readonly networks: TraceNetworks;
  /** Seed of the bootstrap. */
  readonly seed: number;
}

/**
 * Compares the first rule with every other and with columns of a file: the mean difference of QoE per chunk on the same traces
 * with its interval, on how many networks the first rule was better, and the p of Wilcoxon's signed ranks of networks.
 */
export function pairedTable({ reports, columns, networks, seed }: PairedInput): string {
  const [first, ...others] = reports;
  const own = qoeOf(first!);
  const against = [
    ...others.map((report) => ({ name: report.rule, qoePerChunk: qoeOf(report), resolution: 0 })),
    ...columns,
  ];
  const head = [`${first!.rule} minus`, 'QoE/chunk', '95 % interval', 'better in', 'equal in', 'Wilcoxon p'];
  const rows = against.map(({ name, qoePerChunk, resolution }) => {
    const differences = own.map((value, index) => distanceOf(value, qoePerChunk[index]!, resolution));
    return [name, ...cellsOf(differences, networks, seed)];
  });
  return plainTable(head, rows);
}

/** Maximum rounding of QoE, a sum of some dozen terms of about 1 divided by their number; it holds near 0, too. */
const ROUNDING_QOE = 1e-9;

/** Returns the first less the second; 0 where rounding alone may have made the difference. */
function distanceOf(first: number, second: number, resolution: number): number {
  // A value in the middle between two decimals is as far from both.
  const isEqual = Math.abs(first - second) <= Math.max(ROUNDING_QOE, resolution * (1 + 1e-9));
  return isEqual ? 0 : differenceOf(first, second);
}

function cellsOf(differences: readonly number[], networks: TraceNetworks, seed: number): string[] {
  const { value, interval } = meanOverNetworks(differences, networks, seed);
  const means = meanByNetwork(differences, networks);
  const { p, zeros } = signedRank(means);
  const better = means.filter((each) => each > 0).length;
  return [
    formatSigned(value, 3),
    formatInterval(interval, (end) => formatSigned(end, 3)),
    `${better} of ${means.length}`,
    String(zeros),
    p < 1e-4 ? p.toExponential(0) : p.toFixed(4),
  ];
}

const qoeOf = ({ perTrace }: RuleReport): readonly number[] => perTrace.map(({ qoePerChunk }) => qoePerChunk);

/** A CSV file with a line per trace, its name under `trace`. */
interface TraceTable {
  readonly columns: readonly string[];
  /** The lines below the first, by trace. */
  readonly rows: ReadonlyMap<string, TraceRow>;
}

interface TraceRow {
  /** Counted from 1. */
  readonly line: number;
  /** In the order of the columns; a line may be too short. */
  readonly cells: readonly string[];
}

/** Reads a CSV file with a line per trace. @throws Error in one sentence for a column that is missing or a trace that has two lines */
export function traceTable(text: string, name: string, needed: readonly string[] = []): TraceTable {
  const [columns = [], ...lines] = csvCells(text, name);
  const missing = ['trace', ...needed].find((column) => !columns.includes(column));
  if (missing !== undefined) throw new Error(`${name}, line 1: There is no column ${missing}.`);
  const at = columns.indexOf('trace');
  const rows = new Map<string, TraceRow>();
  for (const [index, cells] of lines.entries()) {
    const trace = cells[at] ?? '';
    if (cells.every((cell) => cell === '')) continue;
    if (rows.has(trace)) throw new Error(`${name}, line ${index + 2}: The trace ${trace} has a second line.`);
    rows.set(trace, { line: index + 2, cells });
  }
  return { columns, rows };
}

function csvCells(text: string, name: string): string[][] {
  try {
    return parseCsv(text.trim()).map((line) => line.map((cell) => cell.trim()));
  } catch (error) {
    throw new Error(`${name}, ${(error as Error).message}`, { cause: error });
  }
}
