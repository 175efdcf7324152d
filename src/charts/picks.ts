import type { SessionSeries } from '../analysis/timeline/series.ts';
import { lastRow, rowAfter } from '../analysis/timeline/table.ts';
import type { Pick } from './chart.ts';
import { primaryLane, lastRequest } from './requestRows.ts';

/** The decision in force at a moment; null before the first one. */
export function decisionPick(series: SessionSeries, atMs: number): Pick | null {
  const { lane } = series.decisions.columns;
  return decisionOf(
    series,
    lastRow(series.decisions, atMs, (row) => lane[row] === primaryLane(series)),
  );
}

/** The decision before or after a moment; null at the ends. */
export function decisionBeside(series: SessionSeries, atMs: number, step: -1 | 1): Pick | null {
  const { decisions } = series;
  const { lane, atMs: times } = decisions.columns;
  const mine = primaryLane(series);
  if (step === -1)
    return decisionOf(
      series,
      lastRow(decisions, atMs - 0.001, (row) => lane[row] === mine),
    );
  for (let row = rowAfter(decisions, atMs); row < decisions.length; row += 1)
    if (lane[row] === mine && times[row]! > atMs) return decisionOf(series, row);
  return null;
}

/** The request for video (or audio, without video) that was the last to start by then; null when none did. */
export function requestPick(series: SessionSeries, atMs: number): Pick | null {
  const row = lastRequest(series, atMs, primaryLane(series));
  if (row === -1) return null;
  const { ref, atMs: times } = series.requests.columns;
  return { kind: 'request', id: series.ids[ref[row]!]!, atMs: times[row]! };
}

function decisionOf({ decisions, ids }: SessionSeries, row: number): Pick | null {
  if (row === -1) return null;
  return { kind: 'decision', id: ids[decisions.columns.ref[row]!]!, atMs: decisions.columns.atMs[row]! };
}
