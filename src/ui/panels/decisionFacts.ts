import { OK, VIDEO } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { sizesAt } from '../../analysis/timeline/moment.ts';
import { rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import type { DecisionEvent, MissingReason, RequestEvent } from '../../telemetry/event.ts';
import { kbpsOf, secondsFromMs } from '../../shared/units.ts';
import { formatReason } from './formatReason.ts';
import { formatCount, formatMbps } from '../../shared/format.ts';

export type Fact = readonly [label: string, value: string];

/**
 * What the rule saw, and what became of its choice: `request` is the one it led to, null while that is unknown.
 * An input that is not known says why.
 */
export function decisionFacts(
  decision: DecisionEvent,
  request: RequestEvent | null,
  series: SessionSeries,
): readonly Fact[] {
  const { moment } = decision;
  const buffer = `${secondsFromMs(moment.bufferMs).toFixed(1)} of ${secondsFromMs(moment.bufferTargetMs).toFixed(0)} s`;
  return [
    ['Buffer', buffer],
    ['Last rung', moment.lastRung === null ? 'none yet' : String(moment.lastRung + 1)],
    ['Estimate', formatMbps(decision.estimateKbps, formatReason(decision.missing['estimateKbps']))],
    ['Measured', formatMbps(lastMeasuredKbps(series, decision.atMs), 'nothing yet')],
    ['Latency', formatLatency(request)],
    ['Carried by', carriedBy(request)],
    ['Left', moment.segmentsLeft === null ? 'unknown' : formatCount(moment.segmentsLeft, 'segment')],
    ['Decided in', `${decision.tookMs.toFixed(1)} ms`],
    ...ofOurs(decision, series),
  ];
}

/** What only rules of ours can know or wish: sizes of segments, and a request that waits. */
function ofOurs(
  { inputId, mediaType, atMs, holdUntilBufferMs }: DecisionEvent,
  series: SessionSeries,
): readonly Fact[] {
  if (inputId === undefined) return [];
  const from = sizesAt(series, mediaType, atMs);
  const hold = holdUntilBufferMs === null ? 'none' : `to ${secondsFromMs(holdUntilBufferMs).toFixed(1)} s`;
  return [
    ['Sizes', from === null ? 'assumed' : SIZE_SOURCES[from]],
    ['Hold', hold],
  ];
}

const SIZE_SOURCES = {
  sidx: 'stream’s index',
  'side-file': 'side file',
  head: 'HEAD requests',
  table: 'video’s table',
} as const;

function formatLatency(request: RequestEvent | null): string {
  if (!request) return 'not known yet';
  const { startMs, firstByteMs } = request;
  if (startMs === null || firstByteMs === null) return reasonOf(request, 'firstByteMs', 'startMs');
  return `${Math.round(firstByteMs - startMs)} ms`;
}

function carriedBy(request: RequestEvent | null): string {
  if (!request) return 'not known yet';
  if (request.protocol === null) return reasonOf(request, 'protocol');
  const connection = { true: ', reused', false: ', new', null: '' }[
    String(request.connectionReused) as 'null'
  ];
  return `${request.protocol}${connection}`;
}

function reasonOf(request: RequestEvent, ...fields: readonly string[]): string {
  const reason: MissingReason | undefined = fields.map((field) => request.missing[field]).find(Boolean);
  return formatReason(reason);
}

/** Rate of the last video segment that had arrived by then, over its transfer time (first to last byte). */
function lastMeasuredKbps({ requests }: SessionSeries, atMs: number): number | null {
  const { lane, outcome, endMs, firstByteMs, sizeBytes } = requests.columns;
  for (let row = rowAfter(requests, atMs) - 1; row >= 0; row -= 1) {
    if (lane[row] !== VIDEO || outcome[row] !== OK || !(endMs[row]! <= atMs)) continue;
    const first = valueAt(firstByteMs, row);
    const size = valueAt(sizeBytes, row);
    return first === null || size === null ? null : kbpsOf(size, endMs[row]! - first);
  }
  return null;
}
