import { PROTOCOL_NAMES, protocolFrom } from '../../analysis/transport/protocol.ts';
import type { PathSeries, SessionSeries } from '../../analysis/timeline/series.ts';
import { rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import { axisFromZero } from '../axis.ts';
import type { Chart, ReadoutItem, View, Axis } from '../chart.ts';
import { formatClock, formatCount, formatNumber } from '../../shared/format.ts';
import { lineRows } from '../marks/wideRows.ts';
import { CENTERED, textAt, type DotsMark, type LineMark, type Mark } from '../marks/mark.ts';
import { thinDots } from '../marks/thinDots.ts';
import { thinPoints, thinTimes } from '../marks/thinning.ts';

/** What servers say of their connections: congestion window, round trips, losses. */
export const transport: Chart = {
  id: 'transport',
  label: 'Window and RTT',
  height: { minPx: 62, maxPx: 112, narrowPx: 92 },
  hasData: ({ paths }) => paths.length > 0,
  build(series, view) {
    const [cwnd, rtt] = [cwndScale(series), rttScale(series)];
    const losses = lossTimes(series, view);
    const left = (cwnd ?? rtt)?.axis ?? axisFromZero({ max: 1, unit: 'ms' });
    const units = [cwnd && `congestion window in ${cwnd.unit}`, rtt && `round-trip time in ${rtt.unit}`];
    const words = `${tellersOf(series)}: ${units.filter(Boolean).join(' and ')} of each connection`;
    return {
      note: view.narrow ? '' : `from ${tellersOf(series)}`,
      sentence: `From ${words}, coloured by protocol. ${formatCount(losses.length, 'loss', 'losses')} in view.`,
      left,
      right: cwnd && rtt ? rtt.axis : null,
      marks: [...pathMarks(series, view, { cwnd, rtt }), lossMarks(losses, view, left.top * LOSS_LEVEL)],
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const [cwnd, rtt, lost] = texts(lastReported(series, atMs));
    return [item('share', 'window', cwnd), item('estimate', 'RTT', rtt), item('died', 'lost so far', lost)];
  },
  table(series, { fromMs, toMs, maxRows }) {
    const reported = series.paths
      .flatMap(({ table }, index) => {
        const first = rowAfter(table, fromMs - 1e-3);
        return Array.from({ length: Math.max(0, rowAfter(table, toMs) - first) }, (_, offset) => ({
          path: series.paths[index]!,
          row: first + offset,
        }));
      })
      .sort((one, other) => timeOf(one) - timeOf(other));
    return {
      caption: `Connections as their servers report them: ${tellersOf(series)}`,
      columns: ['Time', 'Protocol', 'Connection', 'Window', 'RTT', 'Lost so far'],
      rows: reported
        .slice(-maxRows)
        .map((each) => [
          formatClock(timeOf(each), true),
          PROTOCOL_NAMES[protocolFrom(each.path.protocol)],
          each.path.connection ?? 'unknown',
          ...texts(each),
        ]),
      leftOut: Math.max(0, reported.length - maxRows),
    };
  },
};

/** Where losses are marked, as a share of the left axis' height. */
const LOSS_LEVEL = 0.9;

interface ReportedPath {
  readonly path: PathSeries;
  readonly row: number;
}

const timeOf = ({ path, row }: ReportedPath): number => path.table.columns.atMs[row]!;

/** "Server-Timing, cubic": the sources and their controllers, the first three only. */
const tellersOf = ({ paths }: SessionSeries): string =>
  [...new Set(paths.map(({ teller }) => teller))].slice(0, 3).join('; ');

/** The last reported value of any connection; null before the first. */
function lastReported({ paths }: SessionSeries, atMs: number): ReportedPath | null {
  let last: ReportedPath | null = null;
  for (const path of paths) {
    const reported = { path, row: rowAfter(path.table, atMs) - 1 };
    if (reported.row >= 0 && (!last || timeOf(reported) >= timeOf(last))) last = reported;
  }
  return last;
}

/** Window, round trip, lost packets in words. */
function texts(reported: ReportedPath | null): [string, string, string] {
  const value = (name: keyof PathSeries['table']['columns']): number | null =>
    reported && valueAt(reported.path.table.columns[name], reported.row);
  const [bytes, packets, rttMs] = [value('cwndBytes'), value('cwndPackets'), value('rttMs')];
  return [
    bytes === null ? (packets === null ? 'unknown' : `${packets} pkt`) : formatBytes(bytes),
    rttMs === null ? 'unknown' : formatRtt(rttMs),
    formatNumber(value('lostPackets'), 0),
  ];
}

const formatRtt = (ms: number): string =>
  ms < 1e5 ? `${formatNumber(ms, ms < 100 ? 1 : 0)} ms` : `${formatNumber(ms / 1000, 0)} s`;

const formatBytes = (bytes: number): string =>
  bytes < 999_500
    ? `${formatNumber(bytes / 1000, 0)} kB`
    : `${formatNumber(bytes / 1e6, bytes < 1e8 ? 1 : 0)} MB`;

const item = (glyph: 'share' | 'estimate' | 'died', label: string, value: string): ReadoutItem => ({
  glyph,
  label,
  value,
  chars: glyph === 'died' ? 7 : 9,
});

/** Smallest distance of two ×: closer ones look like one. */
const LOSS_PX = 8;

/**
 * Draws the windows of all connections as steps over a light fill, a dot where a response reported one; round trips
 * dashed. A reported value holds until the next one, and nothing is drawn after the last: the connection may be gone.
 */
function pathMarks(
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
    table,
    name: `dot ${column}`,
    times: table.columns.atMs,
    value,
    protocol: () => protocol,
    from: rowAfter(table, view.fromMs),
    to: rowAfter(table, Math.min(view.toMs, view.nowMs)),
  };
  return thinDots(rows, view, { radiusPx: 2.2, hollow: false });
}

/** Moments in the view at which a server counted more losses than before. */
function lossTimes({ paths }: SessionSeries, view: View): { atMs: number }[] {
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

/** Makes a × for each loss, `y` high on the left axis, as many as have space. */
const lossMarks = (times: readonly { atMs: number }[], view: View, y: number): Mark => ({
  kind: 'texts',
  items: thinTimes(times, view, LOSS_PX).map(({ atMs }) =>
    textAt('×', { atMs, y }, { tone: 'ink', strong: true, ...CENTERED }),
  ),
});

/** A column of the paths, and how it is drawn. */
interface PathScale {
  readonly column: 'rttMs' | 'cwndBytes' | 'cwndPackets';
  readonly unit: string;
  /** Factor from a value of the column to one of the axis. */
  readonly factor: number;
  readonly axis: Axis;
}

/** The strip above the lines, where losses are marked, as a share of their height. */
const HEADROOM = 1.3;

/** Round trips in ms, from half a second on in s; null where no source reported any. */
const rttScale = ({ maxPath: { rttMs } }: SessionSeries): PathScale | null =>
  rttMs < 500 ? scale('rttMs', rttMs, 'ms', 1) : scale('rttMs', rttMs, 's', 1e-3);

/** Windows in bytes where a source reported bytes; packets of unknown length beside them are not drawn. */
function cwndScale({ maxPath: { cwndBytes, cwndPackets } }: SessionSeries): PathScale | null {
  if (cwndBytes >= 5e5) return scale('cwndBytes', cwndBytes, 'MB', 1e-6);
  return scale('cwndBytes', cwndBytes, 'kB', 1e-3) ?? scale('cwndPackets', cwndPackets, 'pkt', 1);
}

function scale(column: PathScale['column'], max: number, unit: string, factor: number): PathScale | null {
  if (max <= 0) return null;
  const axis = axisFromZero({ max: max * factor, unit, parts: 2 });
  // "50.0 ms" is wider than the right edge of a narrow page.
  const ticks = axis.ticks.map((tick) => ({ ...tick, label: tick.label.replace(/\.0(?!\d)/, '') }));
  return { column, unit, factor, axis: { ...axis, ticks, top: axis.top * HEADROOM } };
}
