import { eachBin, keptFold } from '../analysis/timeline/keptFold.ts';
import type { Columns, Table } from '../analysis/timeline/table.ts';
import type { View } from './chart.ts';
import { doublingMs } from './doublingMs.ts';

/** Rows of a table, and which of a bin of them a picture of the whole needs. */
export interface WideRows {
  readonly table: Table<Columns>;
  readonly from: number;
  readonly to: number;
  /** Names `choose`: the choice is kept under it between redraws. */
  readonly name: string;
  /** Rows among `from … to - 1` that stand for all of them, ascending. */
  choose(from: number, to: number): readonly number[];
}

/** With fewer rows per column of pixels nothing is won. */
const MIN_PER_COLUMN = 4;

/**
 * The rows that a view of hours needs instead of all: of each bin, at most a column of pixels long, those that `choose`
 * names; the newest as they are. null when the view has few rows.
 */
export function wideRows(rows: WideRows, view: View): Uint32Array | null {
  const { table, from, to, name } = rows;
  if (to - from <= MIN_PER_COLUMN * view.maxPoints) return null;
  const binMs = doublingMs((view.toMs - view.fromMs) / view.maxPoints);
  const fold = keptFold<RowList>(table, {
    name,
    binMs,
    start: () => ({ rows: new Uint32Array(1024), count: 0 }),
    extend: (list, first, end) =>
      eachBin(table, { from: first, to: end, binMs }, (a, b) => append(list, rows.choose(a, b))),
  });
  return seenOf(fold.kept, { from, to, foldedTo: fold.rows });
}

interface RowList {
  rows: Uint32Array;
  count: number;
}

function append(list: RowList, rows: readonly number[]): void {
  if (list.count + rows.length > list.rows.length) {
    const wider = new Uint32Array(2 * list.rows.length + rows.length);
    wider.set(list.rows);
    list.rows = wider;
  }
  list.rows.set(rows, list.count);
  list.count += rows.length;
}

/** Chosen rows between `from` and `to`, both ends as they are (a line enters and leaves there), and what is not folded. */
function seenOf(
  { rows, count }: RowList,
  { from, to, foldedTo }: { from: number; to: number; foldedTo: number },
): Uint32Array {
  const chosen = rows.subarray(0, count);
  const last = to - 1;
  const inside = chosen.subarray(firstAbove(chosen, from), firstAbove(chosen, last - 1));
  const tailFrom = Math.min(last, Math.max(from + 1, foldedTo));
  const seen = new Uint32Array(1 + inside.length + (to - tailFrom));
  seen[0] = from;
  seen.set(inside, 1);
  for (let row = tailFrom; row < to; row += 1) seen[1 + inside.length + row - tailFrom] = row;
  return seen;
}

/** Index of the first entry greater than `row`. */
function firstAbove(ascending: Uint32Array, row: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
