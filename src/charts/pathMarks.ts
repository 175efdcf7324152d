import { protocolFrom } from '../analysis/transport/protocol.ts';
import type { PathSeries, SessionSeries } from '../analysis/timeline/series.ts';
import { rowAfter } from '../analysis/timeline/table.ts';
import type { View } from './chart.ts';
import { lineRows } from './lineRows.ts';
import type { DotsMark, LineMark, Mark, TextItem } from './mark.ts';
import type { PathScale } from './pathScales.ts';
import { thinDots } from './thinDots.ts';
import { thinPoints } from './thinPoints.ts';
import { thinTimes } from './thinTimes.ts';

/** Two × closer than this look like one. */
const LOSS_PX = 8;

/**
 * Draws the windows of all connections as steps over a light fill, a dot where a response reported one; round trips
 * dashed. A reported value holds until the next one, and nothing is drawn after the last: the connection may be gone.
 */
export function pathMarks(
  { paths }: SessionSeries,
  view: View,
  { cwnd, rtt }: { cwnd: PathScale | null; rtt: PathScale | null },
): Mark[] {
  const main = cwnd ?? rtt;
  return paths.flatMap((path) => [
    ...(cwnd ? [line(path, view, cwnd)] : []),
    ...(rtt ? [{ ...line(path, view, rtt), ...RTT, axis: cwnd ? 'right' : 'left' } as const] : []),
    ...(main && !path.sampled ? [dots(path, view, main)] : []),
  ]);
}

const RTT = { widthPx: 1.25, dash: [3, 2.5], step: false, fill: false } as const;

function line({ table, protocol }: PathSeries, view: View, { column, factor }: PathScale): LineMark {
  const values = table.columns[column];
  const keeps = (row: number): boolean =>
    !Number.isNaN(values[row]) && table.columns.atMs[row]! <= view.nowMs;
  const { xs, ys } = thinPoints(lineRows(table, view, { name: column, values, keeps }), view);
  return {
    kind: 'line',
    axis: 'left',
    xs,
    ys: ys.map((value) => value * factor),
    tone: `protocol-${protocolFrom(protocol)}`,
    widthPx: 1.5,
    dash: [],
    step: true,
    fill: true,
    halo: false,
  };
}

function dots({ table, protocol }: PathSeries, view: View, { column, factor }: PathScale): DotsMark {
  const value = (row: number): number | null => {
    const reported = table.columns[column][row]! * factor;
    return Number.isNaN(reported) ? null : reported;
  };
  const rows = {
    ...{ table, name: `dot ${column}`, times: table.columns.atMs, value, protocol: () => protocol },
    ...{ from: rowAfter(table, view.fromMs), to: rowAfter(table, Math.min(view.toMs, view.nowMs)) },
  };
  return thinDots(rows, view, { radiusPx: 2.2, hollow: false });
}

/** Moments in the view at which a server counted more losses than before. */
export function lossTimes({ paths }: SessionSeries, view: View): { atMs: number }[] {
  const times = paths.flatMap(({ table }) => {
    const { atMs, lostPackets } = table.columns;
    const found: { atMs: number }[] = [];
    const end = rowAfter(table, Math.min(view.toMs, view.nowMs));
    for (let row = Math.max(1, rowAfter(table, view.fromMs)); row < end; row += 1)
      if (lostPackets[row]! > lostPackets[row - 1]!) found.push({ atMs: atMs[row]! });
    return found;
  });
  return times.sort((one, other) => one.atMs - other.atMs);
}

/** A × for each, `y` high on the left axis, as many as have space. */
export const lossMarks = (times: readonly { atMs: number }[], view: View, y: number): Mark => ({
  kind: 'texts',
  items: thinTimes(times, view, LOSS_PX).map(({ atMs }): TextItem => ({ atMs, y, ...LOSS })),
});

const LOSS: Omit<TextItem, 'atMs' | 'y'> = {
  axis: 'left',
  text: '×',
  tone: 'ink',
  strong: true,
  align: 'center',
  dxPx: 0,
  dyPx: 0,
  badge: null,
};
