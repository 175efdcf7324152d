import type { View } from './chart.ts';

export interface Points {
  readonly xs: number[];
  readonly ys: number[];
}

/** Rows `from … to - 1` of a time-sorted column pair; `keeps` says which rows count (all when absent). */
export interface Rows {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  readonly keeps?: (row: number) => boolean;
}

/**
 * First, least, greatest and last value of each column of pixels, in time order: the line drawn through them is
 * the line through all rows (M4, Jugel et al., PVLDB 7(10), 2014). Few rows pass through as they are.
 */
export function thinPoints({ times, values, from, to, keeps }: Rows, view: View): Points {
  const points: Points = { xs: [], ys: [] };
  const columnMs = (view.toMs - view.fromMs) / view.mostPoints;
  const dense = to - from > view.mostPoints * 4;
  let column = NaN;
  let group: number[] = [];
  for (let row = from; row < to; row += 1) {
    if (keeps && !keeps(row)) continue;
    const mine = dense ? Math.floor((times[row]! - view.fromMs) / columnMs) : row;
    if (mine !== column) {
      flush(group, times, values, points);
      group = [row, row, row, row];
      column = mine;
    }
    if (values[row]! < values[group[1]!]!) group[1] = row;
    if (values[row]! > values[group[2]!]!) group[2] = row;
    group[3] = row;
  }
  flush(group, times, values, points);
  return points;
}

function flush(group: number[], times: ArrayLike<number>, values: ArrayLike<number>, points: Points): void {
  let before = -1;
  for (const row of group.sort((a, b) => a - b)) {
    if (row === before) continue;
    points.xs.push(times[row]!);
    points.ys.push(values[row]!);
    before = row;
  }
}
