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
  const columnOf = (row: number): number =>
    dense ? view.fromMs + (Math.floor((times[row]! - view.fromMs) / columnMs) + 1) * columnMs : -Infinity;
  const group = { first: -1, least: -1, most: -1, last: -1 };
  let endMs = -Infinity;
  for (let row = from; row < to; row += 1) {
    if (keeps && !keeps(row)) continue;
    if (times[row]! >= endMs) {
      flush(group, { times, values }, points);
      group.first = group.least = group.most = row;
      endMs = columnOf(row);
    }
    if (values[row]! < values[group.least]!) group.least = row;
    else if (values[row]! > values[group.most]!) group.most = row;
    group.last = row;
  }
  flush(group, { times, values }, points);
  return points;
}

/** Writes a column's rows in time order, each once. */
function flush(
  { first, least, most, last }: { first: number; least: number; most: number; last: number },
  { times, values }: Pick<Rows, 'times' | 'values'>,
  { xs, ys }: Points,
): void {
  if (first === -1) return;
  let before = -1;
  for (const row of least < most ? [first, least, most, last] : [first, most, least, last]) {
    if (row === before) continue;
    xs.push(times[row]!);
    ys.push(values[row]!);
    before = row;
  }
}
