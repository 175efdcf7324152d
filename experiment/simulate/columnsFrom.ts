import { readText } from '../../node/readText.ts';

/** What somebody else got on each trace, in the order of the traces asked for. */
export interface Column {
  readonly name: string;
  /** QoE per chunk, as the table of a run has it. */
  readonly qoePerChunk: readonly number[];
}

/**
 * The columns of a CSV file with a line per trace: its name under `trace`, and under every other head the QoE of a session,
 * summed over all chunks but the first, of which there are `chunks`. @throws Error in one sentence
 */
export async function columnsFrom(
  file: string,
  { traces, chunks }: { traces: readonly string[]; chunks: number },
): Promise<readonly Column[]> {
  const rows = (await readText(file))
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const [head = [], ...lines] = rows;
  const at = head.indexOf('trace');
  if (at < 0 || head.length < 2)
    throw new Error(`${file}: The first line must name a column "trace" and one or more beside it.`);
  const byTrace = new Map(lines.map((line) => [line[at], line]));
  return head.flatMap((name, column) =>
    column === at
      ? []
      : [{ name, qoePerChunk: traces.map((trace) => sumOf(byTrace.get(trace)?.[column], trace) / chunks) }],
  );

  function sumOf(cell: string | undefined, trace: string): number {
    const sum = Number(cell);
    if (cell === undefined) throw new Error(`${file}: There is no line for the trace ${trace}.`);
    if (cell === '' || !Number.isFinite(sum))
      throw new Error(`${file}: "${cell}" in the line of ${trace} is not a number.`);
    return sum;
  }
}
