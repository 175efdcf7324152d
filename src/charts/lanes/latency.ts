import { AUDIO, OK, VIDEO } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { logAxis } from '../axis.ts';
import type { Chart, ReadoutItem, View } from '../chart.ts';
import type { GlyphId } from '../marks/glyphs.ts';
import type { Mark } from '../marks/mark.ts';
import { laneNames, lastFinished, latencyMs, requestRows } from '../requestRows.ts';
import { requestTable } from './requestTable.ts';
import { thinDots } from '../marks/thinDots.ts';
import { formatNumber } from '../../shared/format.ts';

/** Request to first byte, which throughput leaves out; audio waiting behind video shows here (2020 letter, Fig. 9). */
export const latency: Chart = {
  id: 'latency',
  label: 'Response latency',
  height: { minPx: 42, maxPx: 70, narrowPx: 66 },
  build(series, view) {
    const { min, max } = series.latencyMs ?? { min: 10, max: 1000 };
    return {
      note: view.narrow ? '' : 'request to first byte',
      sentence: `Response latency in milliseconds on a logarithmic axis, ${formatLooks(series)}, coloured by protocol.`,
      left: sparse(logAxis(min, max, 'ms')),
      right: null,
      marks: [
        dots(series, view, { lane: VIDEO, radiusPx: 2.9 }),
        dots(series, view, { lane: AUDIO, radiusPx: 2.6 }),
      ],
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const [first, second] = laneNames(series);
    const last = (lane: number): number | null => latencyMs(series, lastFinished(series, atMs, lane));
    return [item('dot', first!, last(VIDEO)), ...(second === '' ? [] : [item('ring', second!, last(AUDIO))])];
  },
  table: (series, view) =>
    requestTable(series, view, {
      caption: `Response latency of ${series.scene.isTransfer ? 'downloads' : 'media requests'}, request to first byte, in ms`,
      columns: ['Latency, ms'],
      keeps: (row) => series.requests.columns.lane[row]! <= AUDIO,
      cells: (row) => [formatNumber(latencyMs(series, row), 0)],
    }),
};

function formatLooks(series: SessionSeries): string {
  const [first, second] = laneNames(series);
  return second === '' ? `${first} as dots` : `${first} filled and ${second} hollow`;
}

const item = (glyph: GlyphId, label: string, ms: number | null): ReadoutItem => ({
  glyph,
  label,
  value: ms === null ? 'unknown' : formatNumber(ms, ms < 10 ? 1 : 0),
  chars: 8,
});

/** At 44 px only every other decade of a long axis has space for its label. */
function sparse(axis: ReturnType<typeof logAxis>): ReturnType<typeof logAxis> {
  const { ticks } = axis;
  if (ticks.length <= 3) return axis;
  return {
    ...axis,
    ticks: ticks.map((tick, index) =>
      (ticks.length - 1 - index) % Math.ceil(ticks.length / 3) === 0 ? tick : { ...tick, label: '' },
    ),
  };
}

function dots(series: SessionSeries, view: View, look: { lane: number; radiusPx: number }): Mark {
  const { atMs, lane, outcome, protocol } = series.requests.columns;
  const value = (row: number): number | null =>
    lane[row] === look.lane && outcome[row] === OK ? positive(latencyMs(series, row)) : null;
  return thinDots(
    {
      ...requestRows(series, view),
      table: series.requests,
      name: `latency ${look.lane}`,
      times: atMs,
      value,
      protocol: (row) => protocol[row]!,
    },
    view,
    { radiusPx: look.radiusPx, hollow: look.lane === AUDIO },
  );
}

/** A logarithm has no place for 0: such a latency (a cached answer) is not drawn. */
const positive = (ms: number | null): number | null => (ms !== null && ms > 0 ? ms : null);
