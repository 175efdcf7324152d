import { parseCsv } from '../../src/shared/csv.ts';

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
  const [columns = [], ...lines] = cellsOf(text, name);
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

function cellsOf(text: string, name: string): string[][] {
  try {
    return parseCsv(text.trim()).map((line) => line.map((cell) => cell.trim()));
  } catch (error) {
    throw new Error(`${name}, ${(error as Error).message}`, { cause: error });
  }
}
