import type { View } from '../chart.ts';
import type { Span } from '../../analysis/timeline/spans.ts';

interface Points {
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

/** Returns the corners of each column of pixels, in time order. Few rows pass through as they are. */
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

/**
 * Returns the rows among `from … to - 1` with the first, the least, the greatest and the last value, ascending and each once:
 * on one column of pixels a line through them is the line through all (M4, Jugel et al., PVLDB 7(10), 2014).
 */
export function cornersOf(
  { values, keeps }: Pick<Rows, 'values' | 'keeps'>,
  from: number,
  to: number,
): number[] {
  let [first, min, max, last] = [-1, -1, -1, -1];
  for (let row = from; row < to; row += 1) {
    if (keeps && !keeps(row)) continue;
    if (first === -1) first = min = max = row;
    if (values[row]! < values[min]!) min = row;
    else if (values[row]! > values[max]!) max = row;
    last = row;
  }
  const rows = min < max ? [first, min, max, last] : [first, max, min, last];
  return rows.filter((row, index) => row !== -1 && row !== rows[index - 1]);
}

/** Joins spans, in time order, that less than a pixel divides: no view gets more than it has columns. */
export function thinSpans(spans: readonly Span[], view: View): Span[] {
  const pixelMs = (view.toMs - view.fromMs) / view.maxPoints;
  const thin: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans) {
    const last = thin.at(-1);
    if (last && fromMs - last.toMs < pixelMs) last.toMs = Math.max(last.toMs, toMs);
    else thin.push({ fromMs, toMs });
  }
  return thin;
}

/** Leaves out moments, in time order, that follow an earlier one by less than `minPx`. */
export function thinTimes<Item extends { readonly atMs: number }>(
  items: readonly Item[],
  view: View,
  minPx: number,
): Item[] {
  const minMs = (minPx * (view.toMs - view.fromMs)) / view.maxPoints;
  let lastMs = -Infinity;
  return items.filter(({ atMs }) => {
    if (atMs - lastMs < minMs) return false;
    lastMs = atMs;
    return true;
  });
}
