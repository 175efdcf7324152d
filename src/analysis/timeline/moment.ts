import type { LadderSpan, SessionSeries, SizesSpan } from './series.ts';
import { AUDIO, VIDEO } from './columns.ts';
import { lastRow, valueAt } from './table.ts';

/** The ladder in use at a moment: the last one read by then, else the first one; null when there is none. */
export function ladderAt(
  { ladders }: SessionSeries,
  mediaType: 'video' | 'audio',
  atMs: number,
): LadderSpan | null {
  const mine = ladders.filter((each) => each.mediaType === mediaType);
  return mine.findLast(({ fromMs }) => fromMs <= atMs) ?? mine[0] ?? null;
}

/**
 * Target of the video buffer (of the audio buffer when there is no video), ms; null before a decision named one. Beside
 * video, dash.js gives audio the video's level as its target (ScheduleController._getBufferTargetForAudio).
 */
export function bufferTargetAt({ decisions, buffer }: SessionSeries, atMs: number): number | null {
  const lane = buffer.video.length > 0 ? VIDEO : AUDIO;
  const row = lastRow(decisions, atMs, (each) => decisions.columns.lane[each] === lane);
  return valueAt(decisions.columns.bufferTargetMs, row);
}

/** A rule gets its input at the moment of the question, but each of the two reads the clock for itself. */
const SAME_MOMENT_MS = 5;

/** Where the sizes came from that a rule knew at a moment; null for none. */
export function sizesAt(
  { sizes }: Pick<SessionSeries, 'sizes'>,
  mediaType: SizesSpan['mediaType'],
  atMs: number,
): SizesSpan['from'] {
  const span = sizes.findLast((each) => each.mediaType === mediaType && each.fromMs <= atMs + SAME_MOMENT_MS);
  return span?.from ?? null;
}
