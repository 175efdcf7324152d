import { VIDEO } from '../../analysis/codes.ts';
import type { SessionSeries } from '../../analysis/series.ts';
import { rowAfter } from '../../analysis/table.ts';

/** A row of the series' decisions. */
export interface DecisionRow {
  readonly id: string;
  readonly atMs: number;
}

/** The last video decision at or before `atMs`; null before the first. Audio's are told in the table of the lane. */
export function decisionRow(series: SessionSeries, atMs: number): DecisionRow | null {
  const { decisions, ids } = series;
  for (let row = rowAfter(decisions, atMs) - 1; row >= 0; row -= 1) {
    if (decisions.columns.lane[row] !== VIDEO) continue;
    return { id: ids[decisions.columns.ref[row]!]!, atMs: decisions.columns.atMs[row]! };
  }
  return null;
}
