import { ABORTED, IN_FLIGHT, LANES, OK, AUDIO, UNKNOWN, VIDEO } from '../analysis/timeline/columns.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';
import { lastRow, rowAfter, valueAt } from '../analysis/timeline/table.ts';
import { kbpsOf } from '../shared/units.ts';
import type { Look } from './marks/mark.ts';

/** Video, or audio in a session that has no video. */
export function primaryLane({ ladders, buffer }: SessionSeries): number {
  const audioOnly =
    !ladders.some(({ mediaType }) => mediaType === 'video') &&
    buffer.video.length === 0 &&
    ladders.some(({ mediaType }) => mediaType === 'audio');
  return audioOnly ? AUDIO : VIDEO;
}

/** What the lanes of requests are called; an empty name is a lane that a transfer of one stream does not use. */
export function laneNames({ scene, requests }: SessionSeries): readonly string[] {
  if (!scene.isTransfer) return LANES;
  const hasTwo = requests.columns.lane.subarray(0, requests.length).includes(AUDIO);
  return hasTwo ? ['stream 1', 'stream 2', 'other'] : ['files', '', 'other'];
}

/** Rows of requests that reach into a view: the first may have started long before it. */
export function requestRows(
  { requests, longestRequestMs }: SessionSeries,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): { from: number; to: number } {
  return { from: rowAfter(requests, fromMs - longestRequestMs - 1), to: rowAfter(requests, toMs) };
}

/** Throughput from first to last byte in kbit/s, as dash.js measures; null where a phase is hidden or took no time. */
export function measuredKbps({ requests }: SessionSeries, row: number): number | null {
  const { sizeBytes, firstByteMs, endMs, outcome } = requests.columns;
  const [size, first, end] = [valueAt(sizeBytes, row), valueAt(firstByteMs, row), valueAt(endMs, row)];
  if (size === null || first === null || end === null || outcome[row] !== 0) return null;
  return kbpsOf(size, end - first);
}

/** Request start → first byte; null where hidden. */
export function latencyMs({ requests }: SessionSeries, row: number): number | null {
  const first = valueAt(requests.columns.firstByteMs, row);
  const start = valueAt(requests.columns.atMs, row);
  return first === null || start === null ? null : first - start;
}

/** Last request of a waterfall lane that started by then; -1 when none. */
export const lastRequest = ({ requests }: SessionSeries, atMs: number, lane: number): number =>
  lastRow(requests, atMs, (row) => requests.columns.lane[row] === lane);

/** Last request of a lane that was complete by then; -1 when none. */
export const lastFinished = ({ requests }: SessionSeries, atMs: number, lane: number): number =>
  lastRow(
    requests,
    atMs,
    (row) =>
      requests.columns.lane[row] === lane &&
      requests.columns.endMs[row]! <= atMs &&
      requests.columns.outcome[row] !== IN_FLIGHT,
  );

/** How the bar of a request looks that ended so (`columns.ts`). What the player took back, or may have, did not fail. */
export function endLook(outcome: number): Look {
  if (outcome === OK) return 'phases';
  if (outcome === ABORTED || outcome === UNKNOWN) return 'aborted';
  return outcome === IN_FLIGHT ? 'running' : 'failed';
}
