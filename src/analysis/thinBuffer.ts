import type { SessionSeries } from './series.ts';
import { keepRows, rowAfter, type Table } from './table.ts';

/** Full resolution for the last 10 minutes, which is what people look at while it plays. */
const RECENT_MS = 10 * 60_000;
const BIN_MS = 1000;
/** Thinning in batches keeps the cost per event constant. */
const BATCH_ROWS = 2048;

/** Thins what is older than 10 minutes to the least and the greatest level of each second, in their order. */
export function thinBuffer(series: SessionSeries, mediaType: 'video' | 'audio'): void {
  const table = series.buffer[mediaType];
  const from = Math.min(series.thinned[mediaType], table.length);
  const newest = table.columns.atMs[table.length - 1] ?? 0;
  if (table.length - from < BATCH_ROWS) return;
  const to = rowAfter(table, newest - RECENT_MS);
  if (to - from < BATCH_ROWS / 2) return;
  const extremes = extremesPerBin(table, from, to);
  const rest = Array.from({ length: table.length - to }, (_, index) => to + index);
  keepRows(table, from, [...extremes, ...rest]);
  series.thinned[mediaType] = from + extremes.length;
}

function extremesPerBin(
  table: Table<{ atMs: Float64ArrayConstructor; levelMs: Float32ArrayConstructor }>,
  from: number,
  to: number,
): number[] {
  const { atMs, levelMs } = table.columns;
  const keep: number[] = [];
  for (let row = from; row < to;) {
    const bin = Math.floor(atMs[row]! / BIN_MS);
    let min = row;
    let greatest = row;
    for (; row < to && Math.floor(atMs[row]! / BIN_MS) === bin; row += 1) {
      if (levelMs[row]! < levelMs[min]!) min = row;
      if (levelMs[row]! > levelMs[greatest]!) greatest = row;
    }
    keep.push(Math.min(min, greatest));
    if (min !== greatest) keep.push(Math.max(min, greatest));
  }
  return keep;
}
