import type { RequestEvent } from '../../telemetry/event.ts';

/**
 * Segments of a stream by their place in the media, each with its own length: a stream may have segments of 1 s first and
 * of 4 s later, and another length in each period.
 */
export interface MediaSegments {
  /** Ascending; a start occurs once. */
  readonly startMs: number[];
  /** Above 0. */
  readonly lengthMs: number[];
  /** How far into the media readers have counted, and how often a segment came to lie before that. */
  readonly counted: { untilMs: number; changes: number };
}

export const createMediaSegments = (): MediaSegments => ({
  startMs: [],
  lengthMs: [],
  counted: { untilMs: -Infinity, changes: 0 },
});

/**
 * Adds the segment of a request for video; ignores other requests and those that do not say their place. Of two lengths for
 * the same start the greater one counts, so that the order of requests does not matter.
 */
export function addMediaSegment(segments: MediaSegments, request: RequestEvent): void {
  const { type, mediaType, mediaStartMs, mediaDurationMs } = request;
  if (type !== 'media' || mediaType !== 'video' || mediaStartMs === null) return;
  if (mediaDurationMs === null || mediaDurationMs <= 0) return;
  const { startMs, lengthMs, counted } = segments;
  const index = indexAfter(startMs, mediaStartMs);
  if (startMs[index - 1] === mediaStartMs) {
    if (lengthMs[index - 1]! >= mediaDurationMs) return;
    lengthMs[index - 1] = mediaDurationMs;
  } else {
    startMs.splice(index, 0, mediaStartMs);
    lengthMs.splice(index, 0, mediaDurationMs);
  }
  if (mediaStartMs < counted.untilMs) counted.changes += 1;
}

/**
 * How many segments lie between two places in the media; of a segment that is not whole between them its share counts.
 * Where segments overlap, for example at the end of a period, the later one is played. Where none is known,
 * `otherwiseMs` is the length.
 */
export function countSegments(
  { startMs, lengthMs }: Pick<MediaSegments, 'startMs' | 'lengthMs'>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  otherwiseMs: number,
): number {
  let [count, atMs] = [0, fromMs];
  for (let next = indexAfter(startMs, fromMs); atMs < toMs; next += 1) {
    const untilMs = Math.min(toMs, startMs[next] ?? Infinity);
    const ownMs = lengthMs[next - 1] ?? 0;
    const endMs = Math.min(untilMs, Math.max(atMs, (startMs[next - 1] ?? 0) + ownMs));
    if (ownMs > 0) count += (endMs - atMs) / ownMs;
    const restMs = untilMs - (ownMs > 0 ? endMs : atMs);
    if (restMs > 0) count += restMs / otherwiseMs;
    atMs = untilMs;
  }
  return count;
}

/** The median of the lengths that are known; null without any. */
export function medianLengthMs({ lengthMs }: MediaSegments): number | null {
  const sorted = [...lengthMs].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Index of the first place that is later. */
function indexAfter(startMs: readonly number[], placeMs: number): number {
  if (startMs.length === 0 || startMs.at(-1)! <= placeMs) return startMs.length;
  let [low, high] = [0, startMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startMs[middle]! <= placeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
