import { lastRow, rowAfter, type Columns, type Table } from '../analysis/timeline/table.ts';

/** Rows from the last one before the view that fits (so that a line enters it) to the first one after it. */
export function rowsInView(
  table: Table<Columns>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  keeps: (row: number) => boolean,
): { times: Float64Array; from: number; to: number; keeps: (row: number) => boolean } {
  const from = Math.max(0, lastRow(table, fromMs, keeps));
  const to = Math.min(table.length, rowAfter(table, toMs) + 1);
  return { times: table.columns.atMs, from, to, keeps };
}
