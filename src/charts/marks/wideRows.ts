import { eachBin, keptFold } from '../../analysis/timeline/keptFold.ts';
import { type Columns, type Table, lastRow, rowAfter } from '../../analysis/timeline/table.ts';
import type { View } from '../chart.ts';
import { cornersOf, type Rows } from './thinning.ts';

/** Rows of a table, and which of a bin of them a picture of the whole needs. */
interface WideRows {
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
 * Returns the rows that a view of hours needs instead of all: of each bin, at most a column of pixels long, those that `choose`
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

interface Line {
  /** Name of the values and rows, under which the chosen rows are kept: see `WideRows`. */
  readonly name: string;
  readonly values: ArrayLike<number>;
  readonly keeps: (row: number) => boolean;
}

/** Returns the rows that a line is drawn through: those in the view, and of a view of hours the corners of each bin. */
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

const MIN_MS = 1000;

/** The longest of 1 s, 2 s, 4 s … that fits: a session that grows and a view that moves find what was folded again. */
export const doublingMs = (maxMs: number): number =>
  MIN_MS * 2 ** Math.floor(Math.log2(Math.max(maxMs, Number.MIN_VALUE) / MIN_MS));
