import { IN_FLIGHT, laneCode, OK, OTHER } from '../analysis/codes.ts';
import { protocolCode, protocolOf } from '../analysis/protocol.ts';
import type { SessionSeries } from '../analysis/series.ts';
import type { View } from './chart.ts';
import { LOOKS, type Look, type SpansMark } from './mark.ts';
import { requestRows } from './requestRows.ts';
import { BAR_PX, ROW_COUNT, rowFor, rowMiddlePx, rowOf } from './waterfallRows.ts';

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
  const spans: Spans = { fromMs: [], midMs: [], toMs: [], ys: [], protocols: [], looks: [] };
  const { columns } = series.requests;
  const { from, to } = requestRows(series, view);
  const dense = to - from > view.mostPoints;
  const slackMs = dense ? (1.5 * (view.toMs - view.fromMs)) / view.mostPoints : -Infinity;
  const last = new Int32Array(ROW_COUNT).fill(-1);
  for (let row = from; row < to; row += 1) {
    const line = rowOf(series, row);
    const span = {
      fromMs: columns.atMs[row]!,
      midMs: columns.firstByteMs[row]!,
      toMs: Number.isNaN(columns.endMs[row]!) ? view.nowMs : columns.endMs[row]!,
      line,
      look: LOOKS.indexOf(lookOf(series, row)),
      protocol: columns.protocol[row]!,
    };
    if (span.toMs < view.fromMs || join(spans, last[line]!, { span, slackMs })) continue;
    last[line] = spans.fromMs.length;
    push(spans, span);
  }
  pushOpen(series, view, spans);
  return { kind: 'spans', ...spans, heightPx: BAR_PX };
}

interface Bar {
  readonly fromMs: number;
  readonly midMs: number;
  readonly toMs: number;
  readonly line: number;
  readonly look: number;
  readonly protocol: number;
}

/** Lengthens the bar before when this one is alike and follows it at once, or begins on the same pixel. */
function join(spans: Spans, before: number, { span, slackMs }: { span: Bar; slackMs: number }): boolean {
  if (before === -1) return false;
  const alike = spans.looks[before] === span.look && spans.protocols[before] === span.protocol;
  const awayMs = span.fromMs - (alike ? spans.toMs[before]! : spans.fromMs[before]!);
  if (awayMs >= slackMs) return false;
  spans.toMs[before] = Math.max(spans.toMs[before]!, span.toMs);
  // A failure is seen, however crowded its pixel.
  if (span.look === FAILED) spans.looks[before] = FAILED;
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
  if (outcome[row] === IN_FLIGHT) return 'running';
  if (outcome[row] !== OK) return 'failed';
  return Number.isNaN(firstByteMs[row]!) ? 'unknown' : 'phases';
}
