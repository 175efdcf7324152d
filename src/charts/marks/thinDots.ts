import type { Columns, Table } from '../../analysis/timeline/table.ts';
import type { View } from '../chart.ts';
import type { DotsMark } from './mark.ts';
import { wideRows } from './wideRows.ts';

/** One candidate dot per row of a table; `value` answers null for a row without one. */
interface DotRows {
  readonly table: Table<Columns>;
  /** Name of the values, under which the chosen rows are kept: see `WideRows`. */
  readonly name: string;
  readonly times: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  readonly value: (row: number) => number | null;
  readonly protocol: (row: number) => number;
}

/** Pixels a dot takes when there are so many that they touch. */
const DENSE_PX = 2;

/** Dots of a view; when they would cover each other, the least and the greatest of every 2 px remain, as points. */
export function thinDots(
  rows: DotRows,
  view: View,
  { radiusPx, hollow }: { radiusPx: number; hollow: boolean },
): DotsMark {
  const dense = rows.to - rows.from > view.maxPoints / 2;
  const columnMs = dense ? (DENSE_PX * (view.toMs - view.fromMs)) / view.maxPoints : 0;
  const dots = { xs: [] as number[], ys: [] as number[], protocols: [] as number[] };
  let start = 0;
  let column = NaN;
  for (const row of candidates(rows, view)) {
    const value = rows.value(row);
    if (value === null || rows.times[row]! < view.fromMs) continue;
    const mine = dense ? Math.floor((rows.times[row]! - view.fromMs) / columnMs) : row;
    if (mine !== column) start = dots.xs.length;
    column = mine;
    place(dots, start, { x: rows.times[row]!, y: value, protocol: rows.protocol(row) });
  }
  return { kind: 'dots', ...dots, hollow: hollow && !dense, radiusPx: dense ? DENSE_PX / 2 : radiusPx };
}

function candidates(rows: DotRows, view: View): Iterable<number> {
  const wide = wideRows({ ...rows, choose: (from, to) => extremesOf(rows, from, to) }, view);
  return wide ?? Uint32Array.from({ length: rows.to - rows.from }, (_, index) => rows.from + index);
}

/** The rows with the least and the greatest value. */
function extremesOf({ value }: DotRows, from: number, to: number): number[] {
  const min = { row: -1, value: Infinity };
  const max = { row: -1, value: -Infinity };
  for (let row = from; row < to; row += 1) {
    const mine = value(row);
    if (mine === null) continue;
    if (mine < min.value) Object.assign(min, { row, value: mine });
    if (mine > max.value) Object.assign(max, { row, value: mine });
  }
  if (min.row === max.row) return min.row === -1 ? [] : [min.row];
  return [Math.min(min.row, max.row), Math.max(min.row, max.row)];
}

/** Keeps two dots per column: index `start` the least, `start + 1` the greatest. */
function place(
  dots: { xs: number[]; ys: number[]; protocols: number[] },
  start: number,
  dot: { x: number; y: number; protocol: number },
): void {
  const put = (index: number): void => {
    dots.xs[index] = dot.x;
    dots.ys[index] = dot.y;
    dots.protocols[index] = dot.protocol;
  };
  const count = dots.xs.length - start;
  if (count === 0) return put(start);
  if (count === 1) {
    if (dot.y >= dots.ys[start]!) return put(start + 1);
    const min = { x: dots.xs[start]!, y: dots.ys[start]!, protocol: dots.protocols[start]! };
    put(start);
    return place(dots, start, min);
  }
  if (dot.y < dots.ys[start]!) put(start);
  else if (dot.y > dots.ys[start + 1]!) put(start + 1);
}
