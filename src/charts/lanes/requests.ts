import { OK, OUTCOMES } from '../../analysis/timeline/columns.ts';
import { protocolFrom } from '../../analysis/transport/protocol.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { valueAt } from '../../analysis/timeline/table.ts';
import type { Axis, Chart, Tick } from '../chart.ts';
import { laneNames, requestRows } from '../requestRows.ts';
import { requestTable } from './requestTable.ts';
import { DIVIDERS_PX, HEIGHT_PX, laneMiddlePx, requestAt, waterfallSpans } from './waterfall.ts';
import { formatNumber, formatCount } from '../../shared/format.ts';

/** Every request of the player in its lane; latency and transfer apart. */
export const requests: Chart = {
  id: 'requests',
  label: 'Requests',
  height: { minPx: HEIGHT_PX, maxPx: HEIGHT_PX, narrowPx: HEIGHT_PX },
  build: (series, view) => ({
    note: '',
    sentence: `Waterfall of ${formatCount(series.requests.length, 'request')} in lanes for ${formatNames(laneNames(series))}: the thin line is latency, the solid bar transfer, hatched failed, dashed aborted, dotted without timing.`,
    left: axisOf(laneNames(series)),
    right: null,
    marks: [waterfallSpans(series, view)],
    heightPx: null,
  }),
  readout: (series, atMs) => [
    { glyph: 'phases', label: 'latency, transfer', value: null, chars: 0 },
    { glyph: 'failed', label: 'failed', value: null, chars: 0 },
    { glyph: 'aborted', label: 'aborted', value: null, chars: 0 },
    { glyph: 'unknown', label: 'timing hidden', short: 'hidden', value: null, chars: 0 },
    { glyph: null, label: 'in flight', value: String(inFlight(series, atMs)), chars: 2 },
  ],
  table(series, view) {
    const { firstByteMs, atMs, endMs, sizeBytes, outcome } = series.requests.columns;
    const between = (a: number, b: number): string => formatNumber(Number.isNaN(b - a) ? null : b - a, 0);
    return requestTable(series, view, {
      caption: 'Requests with latency and transfer in ms and size in kB',
      columns: ['Outcome', 'Latency, ms', 'Transfer, ms', 'Size, kB'],
      keeps: () => true,
      cells: (row) => [
        OUTCOMES[outcome[row]!] ?? 'unknown',
        between(atMs[row]!, firstByteMs[row]!),
        between(firstByteMs[row]!, endMs[row]!),
        formatNumber((valueAt(sizeBytes, row) ?? NaN) / 1000, 1),
      ],
    });
  },
  pick(series, { atMs, y, msPerPx }) {
    const row = requestAt(series, { atMs, y, slackMs: msPerPx * 4 });
    return row === null
      ? null
      : {
          kind: 'request',
          id: series.ids[series.requests.columns.ref[row]!]!,
          atMs: series.requests.columns.atMs[row]!,
        };
  },
  tooltip(series, { atMs, y, msPerPx }) {
    const row = requestAt(series, { atMs, y, slackMs: msPerPx * 4 });
    return row === null ? null : formatRequest(series, row);
  },
};

/** `video segment 12, level 3 · h3 · latency 34 ms, transfer 1103 ms · 145.2 kB`. */
function formatRequest(series: SessionSeries, row: number): string {
  const { requests, scene } = series;
  const formatPlace = (number: number) =>
    scene.isTransfer ? `, download ${number + 1}` : ` segment ${number}`;
  const { lane, segment, rung, protocol, outcome, atMs, firstByteMs, endMs, sizeBytes } = requests.columns;
  const at = (column: Parameters<typeof valueAt>[0]): number | null => valueAt(column, row);
  const [number, level, size] = [at(segment), at(rung), at(sizeBytes)];
  const [startMs, firstMs, lastMs] = [at(atMs), at(firstByteMs), at(endMs)];
  const ms = (label: string, from: number | null, to: number | null): string[] =>
    from === null || to === null ? [] : [`${label} ${formatNumber(to - from, 0)} ms`];
  const phases = [...ms('latency', startMs, firstMs), ...ms('transfer', firstMs, lastMs)];
  const total = [...ms('total', startMs, lastMs), ...(outcome[row] === OK ? ['timing hidden'] : [])];
  return [
    `${laneNames(series)[lane[row]!]}${number === null ? '' : formatPlace(number)}${level === null ? '' : `, level ${level + 1}`}`,
    formatProtocol(protocol[row]!),
    ...[(phases.length > 0 ? phases : total).join(', ')].filter((text) => text !== ''),
    ...(size === null ? [] : [`${formatNumber(size / 1000, 1)} kB`]),
    ...(outcome[row] === OK ? [] : [OUTCOMES[outcome[row]!] ?? 'unknown']),
  ].join(' · ');
}

function formatNames(names: readonly string[]): string {
  const shown = names.filter((name) => name !== '');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const formatProtocol = (code: number): string => {
  const protocol = protocolFrom(code);
  return protocol === 'unknown' ? 'protocol unknown' : protocol;
};

const axisOf = (names: readonly string[]): Axis => ({
  scale: 'linear',
  bottom: HEIGHT_PX,
  top: 0,
  ticks: [
    ...names.map((label, lane): Tick => ({ value: laneMiddlePx(lane), label })),
    ...DIVIDERS_PX.map((value): Tick => ({ value, label: '', line: true })),
  ],
});

function inFlight(series: SessionSeries, atMs: number): number {
  const { from, to } = requestRows(series, { fromMs: atMs, toMs: atMs });
  const { endMs } = series.requests.columns;
  let count = series.open.requests.filter((request) => request.atMs <= atMs).length;
  for (let row = from; row < to; row += 1) if (endMs[row]! >= atMs) count += 1;
  return count;
}
