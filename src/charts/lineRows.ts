import type { Columns, Table } from '../analysis/timeline/table.ts';
import type { View } from './chart.ts';
import { cornersOf } from './cornersOf.ts';
import { rowsInView } from './rowsInView.ts';
import type { Rows } from './thinPoints.ts';
import { wideRows } from './wideRows.ts';

interface Line {
  /** Of values and rows, see `wideRows.ts`. */
  readonly name: string;
  readonly values: ArrayLike<number>;
  readonly keeps: (row: number) => boolean;
}

/** The rows that a line is drawn through: those in the view, and of a view of hours the corners of each bin. */
export function lineRows(table: Table<Columns>, view: View, { name, values, keeps }: Line): Rows {
  const rows: Rows = { ...rowsInView(table, view, keeps), values };
  const choose = (from: number, to: number): number[] => cornersOf(rows, from, to);
  const wide = wideRows({ table, from: rows.from, to: rows.to, name, choose }, view);
  if (!wide) return rows;
  const times = new Float64Array(wide.length);
  const copied = new Float64Array(wide.length);
  let to = 0;
  for (const row of wide) {
    if (!keeps(row)) continue;
    times[to] = table.columns.atMs[row]!;
    copied[to] = values[row]!;
    to += 1;
  }
  return { times, values: copied, from: 0, to };
}
