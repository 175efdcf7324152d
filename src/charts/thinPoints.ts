import type { View } from './chart.ts';
import { cornersOf } from './cornersOf.ts';

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

/** The corners of each column of pixels, in time order. Few rows pass through as they are. */
export function thinPoints(rows: Rows, view: View): Points {
  const { times, values, from, to, keeps } = rows;
  const points: Points = { xs: [], ys: [] };
  const put = (row: number): void => {
    points.xs.push(times[row]!);
    points.ys.push(values[row]!);
  };
  if (to - from <= view.maxPoints * 4) {
    for (let row = from; row < to; row += 1) if (!keeps || keeps(row)) put(row);
    return points;
  }
  const columnMs = (view.toMs - view.fromMs) / view.maxPoints;
  for (let row = from; row < to;) {
    const endMs = view.fromMs + (Math.floor((times[row]! - view.fromMs) / columnMs) + 1) * columnMs;
    const first = row;
    do row += 1;
    while (row < to && times[row]! < endMs);
    for (const each of cornersOf(rows, first, row)) put(each);
  }
  return points;
}
