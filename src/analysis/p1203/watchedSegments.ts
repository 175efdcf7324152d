import type { Span } from '../playingSpans.ts';

/** A stretch of watched media, s. */
export interface WatchedSegment {
  readonly start: number;
  readonly duration: number;
}

/** Spans of session time one after the other, as the media that was watched in them. Play at another rate than 1 is not told apart. */
export function watchedSegments<S extends Span, Fields>(
  spans: readonly S[],
  fieldsOf: (span: S) => Fields,
): (Fields & WatchedSegment)[] {
  let startMs = 0;
  return spans.map((span) => {
    const durationMs = span.toMs - span.fromMs;
    const segment = { ...fieldsOf(span), start: startMs / 1000, duration: durationMs / 1000 };
    startMs += durationMs;
    return segment;
  });
}
