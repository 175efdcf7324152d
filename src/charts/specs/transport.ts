import { PROTOCOL_NAMES, protocolFrom } from '../../analysis/transport/protocol.ts';
import type { PathSeries, SessionSeries } from '../../analysis/timeline/series.ts';
import { rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import { axisFromZero } from '../axis.ts';
import type { Chart, ReadoutItem } from '../chart.ts';
import { lossMarks, lossTimes, pathMarks } from '../pathMarks.ts';
import { cwndScale, rttScale } from '../pathScales.ts';
import { formatClock, formatCount, formatNumber } from '../../shared/format.ts';

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

/** Of the left axis' height. */
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
