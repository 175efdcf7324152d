import { laneCode, OTHER } from '../../analysis/timeline/columns.ts';
import { keptFold } from '../../analysis/timeline/keptFold.ts';
import { protocolCode, protocolOf } from '../../analysis/transport/protocol.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { View } from '../chart.ts';
import { doublingMs } from '../marks/wideRows.ts';
import { LOOKS, type Look, type SpansMark } from '../marks/mark.ts';
import { endLook, requestRows } from '../requestRows.ts';

/** Neighbours take turns on the rows of their lane, so that bars that touch in time do not touch on the page. */
const LANE_ROWS = [
  { topPx: 0, firstRow: 0, rows: 5, stepPx: 8 },
  { topPx: 47, firstRow: 5, rows: 3, stepPx: 9 },
  { topPx: 79, firstRow: 8, rows: 1, stepPx: 9 },
] as const;
export const HEIGHT_PX = 88;
const BAR_PX = 6;
export const ROW_COUNT = 9;
/** Hairlines between the lanes. */
export const DIVIDERS_PX = [42.5, 75.5] as const;

/** Which row a request takes: `turn` is its segment number, or its order of arrival when it has none. */
export function rowFor(laneCode: number, turn: number): number {
  const { firstRow, rows } = laneRows(laneCode);
  return firstRow + (turn % rows);
}

/** The row of a recorded request. */
function rowOf({ requests }: SessionSeries, row: number): number {
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

interface Spans {
  readonly fromMs: number[];
  readonly midMs: number[];
  readonly toMs: number[];
  readonly ys: number[];
  readonly protocols: number[];
  readonly looks: number[];
}

/** Bars of the requests in a view. Bars that would touch on one row (a view of hours) run together when alike or on one pixel. */
export function waterfallSpans(series: SessionSeries, view: View): SpansMark {
  const { from, to } = requestRows(series, view);
  const dense = to - from > view.maxPoints;
  const columnMs = (view.toMs - view.fromMs) / view.maxPoints;
  const joined = nothingJoined(dense ? 1.5 * columnMs : -Infinity);
  const start = to - from > MANY_PER_COLUMN * view.maxPoints ? addFolded(series, view, { joined, to }) : null;
  for (let row = start ?? from; row < to; row += 1) addSeen(joined, barOf(series, row), view);
  pushOpen(series, view, joined.spans);
  return { kind: 'spans', ...joined.spans, heightPx: BAR_PX };
}

interface Bar {
  readonly fromMs: number;
  readonly midMs: number;
  /** Infinity: its end is not known, it reaches to now. */
  readonly toMs: number;
  readonly line: number;
  readonly look: number;
  readonly protocol: number;
}

/** Bars that ran together so far, on which row each is, and the last one of each row. */
interface Joined {
  readonly spans: Spans;
  readonly lines: number[];
  readonly last: Int32Array;
  readonly slackMs: number;
}

const MANY_PER_COLUMN = 4;

const nothingJoined = (slackMs: number): Joined => ({
  spans: { fromMs: [], midMs: [], toMs: [], ys: [], protocols: [], looks: [] },
  lines: [],
  last: new Int32Array(ROW_COUNT).fill(-1),
  slackMs,
});

function barOf(series: SessionSeries, row: number): Bar {
  const { atMs, firstByteMs, endMs, protocol } = series.requests.columns;
  return {
    fromMs: atMs[row]!,
    midMs: firstByteMs[row]!,
    toMs: Number.isNaN(endMs[row]!) ? Infinity : endMs[row]!,
    line: rowOf(series, row),
    look: LOOKS.indexOf(lookOf(series, row)),
    protocol: protocol[row]!,
  };
}

/** Bars that ran together within less than a column, kept between redraws; the row after them, or null when `to` is before it. */
function addFolded(
  series: SessionSeries,
  view: View,
  { joined, to }: { joined: Joined; to: number },
): number | null {
  const binMs = doublingMs((view.toMs - view.fromMs) / view.maxPoints);
  const { kept, rows } = keptFold<Joined>(series.requests, {
    name: 'waterfall',
    binMs,
    start: () => nothingJoined(binMs),
    extend(older, from, end) {
      for (let row = from; row < end; row += 1) add(older, barOf(series, row));
    },
  });
  if (rows > to) return null;
  const { fromMs, midMs, toMs, looks, protocols } = kept.spans;
  kept.lines.forEach((line, index) => {
    const [look, protocol] = [looks[index]!, protocols[index]!];
    const times = { fromMs: fromMs[index]!, midMs: midMs[index]!, toMs: toMs[index]! };
    addSeen(joined, { ...times, line, look, protocol }, view);
  });
  return rows;
}

function addSeen(joined: Joined, bar: Bar, { fromMs, nowMs }: View): void {
  const toMs = Math.min(bar.toMs, nowMs);
  if (toMs >= fromMs) add(joined, { ...bar, toMs });
}

function add(joined: Joined, bar: Bar): void {
  if (join(joined, bar)) return;
  joined.last[bar.line] = joined.lines.push(bar.line) - 1;
  push(joined.spans, bar);
}

/** Lengthens the bar before when this one is alike and follows it at once, or begins on the same pixel. */
function join({ spans, last, slackMs }: Joined, bar: Bar): boolean {
  const before = last[bar.line]!;
  if (before === -1) return false;
  const alike = spans.looks[before] === bar.look && spans.protocols[before] === bar.protocol;
  const awayMs = bar.fromMs - (alike ? spans.toMs[before]! : spans.fromMs[before]!);
  if (awayMs >= slackMs) return false;
  spans.toMs[before] = Math.max(spans.toMs[before]!, bar.toMs);
  // A failure is seen, however crowded its pixel.
  if (bar.look === FAILED) spans.looks[before] = FAILED;
  return true;
}

const FAILED = LOOKS.indexOf('failed');

function push(spans: Spans, span: Bar): void {
  spans.fromMs.push(span.fromMs);
  spans.midMs.push(span.midMs);
  spans.toMs.push(span.toMs);
  spans.ys.push(rowMiddlePx(span.line));
  spans.protocols.push(span.protocol);
  spans.looks.push(span.look);
}

/** Requests in flight reach to now, dotted: nothing is known of them until they end. */
function pushOpen({ open }: SessionSeries, { nowMs }: View, spans: Spans): void {
  open.requests.forEach((request, index) => {
    const lane = request.type === 'media' ? laneCode(request.mediaType) : OTHER;
    push(spans, {
      fromMs: request.startMs ?? request.atMs,
      midMs: request.firstByteMs ?? NaN,
      toMs: nowMs,
      line: rowFor(lane, request.segment ?? index),
      look: LOOKS.indexOf('running'),
      protocol: protocolCode(protocolOf(request.protocol)),
    });
  });
}

function lookOf({ requests }: SessionSeries, row: number): Look {
  const { outcome, firstByteMs } = requests.columns;
  const look = endLook(outcome[row]!);
  if (look !== 'phases') return look;
  return Number.isNaN(firstByteMs[row]!) ? 'unknown' : 'phases';
}
