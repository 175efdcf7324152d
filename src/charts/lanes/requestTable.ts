import { protocolFrom, PROTOCOL_NAMES } from '../../analysis/transport/protocol.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { TableView } from '../chart.ts';
import type { LaneTable } from '../marks/mark.ts';
import { laneNames, requestRows } from '../requestRows.ts';
import { formatClock } from '../../shared/format.ts';

/** A table with a row per request of a view: time, kind and protocol, then the columns asked for. */
export function requestTable(
  series: SessionSeries,
  view: TableView,
  {
    caption,
    columns,
    keeps,
    cells,
  }: {
    caption: string;
    columns: readonly string[];
    keeps: (row: number) => boolean;
    cells: (row: number) => readonly string[];
  },
): LaneTable {
  const { requests } = series;
  const { from, to } = requestRows(series, view);
  const names = laneNames(series);
  const all = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).filter(keeps);
  return {
    caption,
    columns: ['Started', 'Kind', 'Protocol', ...columns],
    rows: all
      .slice(-view.maxRows)
      .map((row) => [
        formatClock(requests.columns.atMs[row]!, true),
        names[requests.columns.lane[row]!] ?? 'other',
        PROTOCOL_NAMES[protocolFrom(requests.columns.protocol[row]!)],
        ...cells(row),
      ]),
    leftOut: Math.max(0, all.length - view.maxRows),
  };
}
