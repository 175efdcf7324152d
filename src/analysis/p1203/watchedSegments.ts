import type { Span } from '../playingSpans.ts';

/** A stretch of watched media, s. */
export interface WatchedSegment {
  readonly start: number;
  readonly duration: number;
}

/**
 * Spans of session time one after the other, as the media that was watched in them; spans that have the same fields are one
 * stretch. Ignores the playback rate.
 */
export function watchedSegments<S extends Span, Fields>(
  spans: readonly S[],
  fieldsOf: (span: S) => Fields,
): (Fields & WatchedSegment)[] {
  const stretches: { fields: Fields; startMs: number; endMs: number }[] = [];
  for (const span of spans) {
    const last = stretches.at(-1);
    const fields = fieldsOf(span);
    const startMs = last?.endMs ?? 0;
    const endMs = startMs + span.toMs - span.fromMs;
    if (last && JSON.stringify(last.fields) === JSON.stringify(fields)) last.endMs = endMs;
    else stretches.push({ fields, startMs, endMs });
  }
  return stretches.map(({ fields, startMs, endMs }) => ({
    ...fields,
    start: seconds(startMs),
    duration: seconds(endMs - startMs),
  }));
}

/** To a microsecond: what is behind it is rounding. */
const seconds = (ms: number): number => Math.round(1000 * ms) / 1e6;
