import { OTHER } from '../analysis/timeline/columns.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';
import { requestRows } from './requestRows.ts';

/** Neighbours take turns on the rows of their lane, so that bars that touch in time do not touch on the page. */
const LANE_ROWS = [
  { topPx: 0, firstRow: 0, rows: 5, stepPx: 8 },
  { topPx: 47, firstRow: 5, rows: 3, stepPx: 9 },
  { topPx: 79, firstRow: 8, rows: 1, stepPx: 9 },
] as const;
export const HEIGHT_PX = 88;
export const BAR_PX = 6;
export const ROW_COUNT = 9;
/** Hairlines between the lanes. */
export const DIVIDERS_PX = [42.5, 75.5] as const;

/** Which row a request takes: `turn` is its segment number, or its order of arrival when it has none. */
export function rowFor(laneCode: number, turn: number): number {
  const { firstRow, rows } = laneRows(laneCode);
  return firstRow + (turn % rows);
}

/** The row of a recorded request. */
export function rowOf({ requests }: SessionSeries, row: number): number {
  const segment = requests.columns.segment[row]!;
  return rowFor(requests.columns.lane[row]!, Number.isNaN(segment) ? requests.columns.ref[row]! : segment);
}

/** Middle of a row, px from the top. */
export function rowMiddlePx(row: number): number {
  const { topPx, firstRow, stepPx } = LANE_ROWS.findLast(({ firstRow }) => firstRow <= row) ?? LANE_ROWS[0];
  return topPx + (row - firstRow) * stepPx + 1 + BAR_PX / 2;
}

export function laneMiddlePx(laneCode: number): number {
  const { topPx, rows, stepPx } = laneRows(laneCode);
  return topPx + (rows * stepPx) / 2;
}

/** The request under a point, or null: on its row, within `slackMs` of its bar; the nearest one. */
export function requestAt(
  series: SessionSeries,
  { atMs, y, slackMs }: { atMs: number; y: number; slackMs: number },
): number | null {
  const { columns } = series.requests;
  const { from, to } = requestRows(series, { fromMs: atMs - slackMs, toMs: atMs + slackMs });
  let best: number | null = null;
  let bestMs = slackMs;
  for (let row = from; row < to; row += 1) {
    if (Math.abs(rowMiddlePx(rowOf(series, row)) - y) > 5) continue;
    const startMs = columns.atMs[row]!;
    const endMs = Number.isNaN(columns.endMs[row]!) ? startMs : columns.endMs[row]!;
    const awayMs = Math.max(0, startMs - atMs, atMs - endMs);
    if (awayMs <= bestMs) [best, bestMs] = [row, awayMs];
  }
  return best;
}

const laneRows = (laneCode: number): (typeof LANE_ROWS)[number] => LANE_ROWS[laneCode] ?? LANE_ROWS[OTHER];
