import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { lastRow, valueAt } from '../../analysis/timeline/table.ts';
import type { Chart, View, Axis, Tick } from '../chart.ts';
import { lineRows } from '../marks/wideRows.ts';
import {
  textAt,
  type DotsMark,
  type LineMark,
  type Mark,
  type TextItem,
  type TextsMark,
} from '../marks/mark.ts';
import { primaryLane, lastFinished, lastRequest, measuredKbps, requestRows } from '../requestRows.ts';
import { requestTable } from './requestTable.ts';
import { thinDots } from '../marks/thinDots.ts';
import { thinPoints, type Rows } from '../marks/thinning.ts';
import { AUDIO } from '../../analysis/timeline/columns.ts';
import { ladderAt } from '../../analysis/timeline/moment.ts';
import { axisFromZero } from '../axis.ts';
import { formatNumber } from '../../shared/format.ts';

/** What was rendered, what was asked for, what the player believes the network carries, and what it carried. */
export const bitrate: Chart = {
  id: 'bitrate',
  label: 'Bitrate',
  height: { minPx: 102, maxPx: 190, narrowPx: 150 },
  hasData: ({ scene }) => !scene.isTransfer,
  build(series, view) {
    const left = bitrateAxis(series, view);
    return {
      note: '',
      sentence:
        'Bitrate in Mbit/s over session time: rendered and requested steps, the throughput estimate, the throughput of each request by protocol. Above the scale: ▲ an estimate, a hollow dot a throughput.',
      left,
      right: { ...left, ticks: ladderTicks(series, view, left) },
      marks: marksOf(series, view, left.top),
      heightPx: null,
    };
  },
  readout(series, atMs) {
    const lane = primaryLane(series);
    const { switches, requests, decisions } = series;
    const rendered = lastRow(switches, atMs, (row) => isRendered(series, row, lane));
    const decided = lastRow(decisions, atMs, (row) => decisions.columns.lane[row] === lane);
    const asked = valueAt(requests.columns.bitrateKbps, lastRequest(series, atMs, lane));
    const estimate = valueAt(decisions.columns.estimateKbps, decided);
    return [
      item('rendered', 'rendered', valueAt(switches.columns.bitrateKbps, rendered)),
      item('requested', 'requested', asked),
      { ...item('estimate', 'estimate', estimate), short: 'est.' },
      { ...item('dot', 'measured', measuredKbps(series, lastFinished(series, atMs, lane))), short: 'meas.' },
    ];
  },
  table(series, view) {
    const { lane, rung, bitrateKbps } = series.requests.columns;
    return requestTable(series, view, {
      caption: 'Media requests with the bitrate asked for and the throughput measured, in Mbit/s',
      columns: ['Level', 'Bitrate', 'Measured'],
      keeps: (row) => lane[row] === primaryLane(series),
      cells: (row) => [
        Number.isNaN(rung[row]!) ? 'unknown' : String(rung[row]! + 1),
        mega(valueAt(bitrateKbps, row)),
        mega(measuredKbps(series, row)),
      ],
    });
  },
};

const mega = (kbps: number | null): string => formatNumber(kbps === null ? null : kbps / 1000, 2);
const item = (glyph: 'rendered' | 'requested' | 'estimate' | 'dot', label: string, kbps: number | null) => ({
  glyph,
  label,
  value: kbps === null ? '–' : mega(kbps),
  chars: 5,
});

const isRendered = ({ switches }: SessionSeries, row: number, lane: number): boolean =>
  switches.columns.rendered[row] === 1 && switches.columns.lane[row] === lane;

function marksOf(series: SessionSeries, view: View, topMbps: number): Mark[] {
  const lane = primaryLane(series);
  const { switches, requests, decisions } = series;
  const step = (rows: Rows, look: Pick<LineMark, 'tone' | 'widthPx' | 'dash'>): LineMark =>
    stepLine(rows, view, { look, topMbps });
  const estimate = lineRows(decisions, view, {
    name: `estimate ${lane}`,
    values: decisions.columns.estimateKbps,
    keeps: (row) => decisions.columns.lane[row] === lane,
  });
  const asked = lineRows(requests, view, {
    name: `requested ${lane}`,
    values: requests.columns.bitrateKbps,
    keeps: (row) => requests.columns.lane[row] === lane,
  });
  const seen = lineRows(switches, view, {
    name: `rendered ${lane}`,
    values: switches.columns.bitrateKbps,
    keeps: (row) => isRendered(series, row, lane),
  });
  return [
    step(estimate, { tone: 'ink-2', widthPx: 1.5, dash: [5, 3] }),
    step(asked, { tone: 'ink-3', widthPx: 1.25, dash: [] }),
    step(seen, { tone: 'ink', widthPx: 2.25, dash: [] }),
    ...measuredDots(series, view, { lane, topMbps }),
    offScale(estimate, view, topMbps),
  ];
}

/** Smallest distance of two labels, as a share of the width of a view; with less they would overlap. */
const LABEL_SHARE = 0.1;

/** Where the estimate runs along the top edge, and how high it is there: `▲ 370`. */
function offScale(rows: Rows, view: View, topMbps: number): TextsMark {
  const { xs, ys } = thinPoints(rows, view);
  const labelMs = LABEL_SHARE * (view.toMs - view.fromMs);
  const items: TextItem[] = [];
  let isNamed = false;
  for (const [at, kbps] of ys.entries()) {
    const mbps = kbps / 1000;
    // At the right edge a label begins where it has place to end.
    const atMs = Math.min(Math.max(view.fromMs, xs[at]!), view.toMs - labelMs);
    const hasPlace = atMs - (items.at(-1)?.atMs ?? -Infinity) >= labelMs;
    if (!(mbps > topMbps)) isNamed = false;
    else if (!isNamed && hasPlace && xs[at]! <= view.toMs) {
      isNamed = true;
      const text = `▲ ${formatNumber(mbps, 0)}`;
      items.push(textAt(text, { atMs, y: topMbps }, { tone: 'ink-2', dxPx: 2, dyPx: 9 }));
    }
  }
  return { kind: 'texts', items };
}

/** A step that holds until now. Values above the axis run along its top edge, and `offScale` says how high they are. */
function stepLine(
  rows: Rows,
  view: View,
  { look, topMbps }: { look: Pick<LineMark, 'tone' | 'widthPx' | 'dash'>; topMbps: number },
): LineMark {
  const { xs, ys } = thinPoints(rows, view);
  const capped = ys.map((kbps) => Math.min(topMbps, kbps / 1000));
  if (xs.length > 0) {
    xs.push(Math.max(xs.at(-1)!, view.nowMs));
    capped.push(capped.at(-1)!);
  }
  return { kind: 'line', axis: 'left', xs, ys: capped, ...look, step: true, fill: false, halo: false };
}

function measuredDots(
  series: SessionSeries,
  view: View,
  { lane, topMbps }: { lane: number; topMbps: number },
): DotsMark[] {
  const columns = series.requests.columns;
  const rows = { ...requestRows(series, view), table: series.requests, times: columns.endMs };
  const dots = thinDots(
    {
      ...rows,
      name: `measured ${lane}`,
      value: (row) => (columns.lane[row] === lane ? measuredKbps(series, row) : null),
      protocol: (row) => columns.protocol[row]!,
    },
    view,
    { radiusPx: 3.4, hollow: false },
  );
  // A dense dot is a point, and a hollow point would be nothing.
  const hollow = dots.radiusPx >= MIN_HOLLOW_PX;
  return [partOf(dots, (kbps) => kbps / 1000 <= topMbps), { ...beyond(dots, topMbps), hollow }];
}

const MIN_HOLLOW_PX = 2;

/** Returns the dots above the scale, at its upper edge. */
function beyond(dots: DotsMark, topMbps: number): DotsMark {
  const part = partOf(dots, (kbps) => kbps / 1000 > topMbps);
  return { ...part, ys: Array.from(part.ys, () => topMbps) };
}

/** Returns the dots that `keeps` accepts, in Mbit/s. */
function partOf(dots: DotsMark, keeps: (kbps: number) => boolean): DotsMark {
  const places = Array.from(dots.ys, (_, place) => place).filter((place) => keeps(dots.ys[place]!));
  const pick = (values: ArrayLike<number>): number[] => places.map((place) => values[place]!);
  return {
    ...dots,
    xs: pick(dots.xs),
    ys: pick(dots.ys).map((kbps) => kbps / 1000),
    protocols: pick(dots.protocols),
  };
}

/** Space above the top rung: a network this much faster than the ladder is "fast enough", however fast. */
const HEADROOM = 1.35;
/** Px between two labels on the right, at the lowest height of the lane. */
const MIN_SHARE = 0.12;

const mediaTypeOf = (series: SessionSeries) => (primaryLane(series) === AUDIO ? 'audio' : 'video');

/**
 * Mbit/s from 0 to above the top of every ladder in the view, so that the rungs fill the lane; the axis stays put while
 * playing. A ladder is read while the period before it still plays, so what comes next may not lower it.
 */
function bitrateAxis(series: SessionSeries, { fromMs, nowMs }: Pick<View, 'fromMs' | 'nowMs'>): Axis {
  const mediaType = mediaTypeOf(series);
  const inView = series.ladders.filter(
    (each) => each.mediaType === mediaType && each.fromMs > fromMs && each.fromMs <= nowMs,
  );
  const tops = [ladderAt(series, mediaType, fromMs), ...inView].map(
    (each) => each?.rungs.at(-1)?.bitrateKbps ?? 0,
  );
  const topKbps = Math.max(...tops) || 4000;
  return axisFromZero({ max: (topKbps * HEADROOM) / 1000, unit: 'Mbit/s' });
}

/** Rungs at the right edge: every one a tick, as many heights named as have space, the top one first. */
function ladderTicks(series: SessionSeries, view: View, axis: Axis): Tick[] {
  const rungs = ladderAt(series, mediaTypeOf(series), view.nowMs)?.rungs ?? [];
  let lastMbps = Infinity;
  return rungs
    .toReversed()
    .map(({ bitrateKbps, height }) => {
      const value = bitrateKbps / 1000;
      const named = height !== null && (lastMbps - value) / axis.top >= MIN_SHARE;
      if (named) lastMbps = value;
      return { value, label: named ? `${height}p` : '' };
    })
    .toReversed();
}
