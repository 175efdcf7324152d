/** The ways in which an MPD may say where segments are (ISO/IEC 23009-1 §5.3.9), each as XML over the same tracks. PURE. */
import type { IndexedSegment } from './boxes.ts';
import type { Track } from './track.ts';
import { element } from './xml.ts';

/** A run of segments of a track: a whole stream, or one period of it. */
export interface Span {
  /** Index of the first segment, 0-based. */
  readonly first: number;
  readonly count: number;
}

/** How segments are addressed. Where files are cut, they are `<id>/init.mp4` and `<id>/<number>.m4s` from 1 on. */
export type Addressing = 'template' | 'timeline' | 'base' | 'list';

/**
 * The children of a Representation that address its segments. `base` indexes the
 * file itself and ignores the span. `early`: attributes of low-latency templates (§5.3.9.5.3).
 */
export function addressed(
  how: Addressing,
  track: Track,
  span: Span,
  early: Readonly<Record<string, string>> = {},
): string[] {
  const segments = track.segments.slice(span.first, span.first + span.count);
  switch (how) {
    case 'template':
      return [template(track, span, early)];
    case 'timeline':
      return [timeline(track, span, segments)];
    case 'base':
      return [element('BaseURL', {}, `${track.id}.mp4`), base(track)];
    case 'list':
      return [element('BaseURL', {}, `${track.id}.mp4`), list(track, segments)];
  }
}

function template(track: Track, { first }: Span, early: Readonly<Record<string, string>>): string {
  const duration = nominalTicks(track.segments);
  return element('SegmentTemplate', { ...templateFacts(track, first), duration, ...early });
}

function timeline(track: Track, { first }: Span, segments: readonly IndexedSegment[]): string {
  const runs: { t: number; d: number; r: number }[] = [];
  for (const { startTicks, durationTicks } of segments) {
    const last = runs.at(-1);
    if (last?.d === durationTicks) last.r += 1;
    else runs.push({ t: startTicks, d: durationTicks, r: 0 });
  }
  const entries = runs.map(({ t, d, r }, index) =>
    element('S', { t: index === 0 ? t : null, d, r: r || null }),
  );
  return element('SegmentTemplate', templateFacts(track, first), [element('SegmentTimeline', {}, entries)]);
}

function templateFacts(track: Track, first: number): Record<string, string | number | null> {
  // The nominal start, not the measured one: Opus' pre-skip would shift sound against picture.
  const start = first * nominalTicks(track.segments);
  return {
    timescale: track.timescale,
    presentationTimeOffset: start || null,
    initialization: '$RepresentationID$/init.mp4',
    media: '$RepresentationID$/$Number$.m4s',
    startNumber: first + 1,
  };
}

function base({ index: [first, last], initializationBytes, timescale }: Track): string {
  return element('SegmentBase', { timescale, indexRange: `${first}-${last}` }, [
    element('Initialization', { range: `0-${initializationBytes - 1}` }),
  ]);
}

function list({ timescale, initializationBytes }: Track, segments: readonly IndexedSegment[]): string {
  return element('SegmentList', { timescale, duration: nominalTicks(segments) }, [
    element('Initialization', { range: `0-${initializationBytes - 1}` }),
    ...segments.map(({ offset, sizeBytes }) =>
      element('SegmentURL', { mediaRange: `${offset}-${offset + sizeBytes - 1}` }),
    ),
  ]);
}

/** The usual length: Opus shortens the first segment by its pre-skip, so the longest is the nominal one. */
export function nominalTicks(segments: readonly IndexedSegment[]): number {
  return Math.max(0, ...segments.map(({ durationTicks }) => durationTicks));
}
