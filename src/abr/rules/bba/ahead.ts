import type { SegmentSizes } from '../../segmentBytes.ts';

/**
 * The segments of the lowest rung that come next, for the dynamic reservoir: how much more or less than bitrate ×
 * duration they hold. Moves along with the download by one segment in, one out, so a decision does not sum anew.
 */
export interface Ahead {
  /** The segment that comes next; null when not known. */
  readonly from: number | null;
  /** Bytes of those whose size is known. */
  readonly knownBytes: number;
  readonly known: number;
}

/** How far ahead is looked; no more segments than this, whatever their length. */
const MAX_SEGMENTS = 600;

/** How many segments play for `lookAheadMs`; none while their length is unknown. */
export const segmentsAhead = (segmentMs: number, lookAheadMs: number): number =>
  segmentMs > 0 ? Math.min(Math.round(lookAheadMs / segmentMs), MAX_SEGMENTS) : 0;

export function aheadFrom(sizes: SegmentSizes, from: number | null, count: number): Ahead {
  if (from === null) return { from, knownBytes: 0, known: 0 };
  let knownBytes = 0;
  let known = 0;
  for (let segment = from; segment < from + count; segment += 1) {
    const bytes = sizes.sizeBytes(segment, 0) ?? 0;
    if (bytes > 0) known += 1;
    knownBytes += bytes;
  }
  return { from, knownBytes, known };
}

/** The same, one segment later. */
export function oneLater(ahead: Ahead, sizes: SegmentSizes, count: number): Ahead {
  const { from } = ahead;
  if (from === null || count === 0) return ahead;
  const gone = sizes.sizeBytes(from, 0) ?? 0;
  const come = sizes.sizeBytes(from + count, 0) ?? 0;
  return {
    from: from + 1,
    knownBytes: ahead.knownBytes - gone + come,
    known: ahead.known - (gone > 0 ? 1 : 0) + (come > 0 ? 1 : 0),
  };
}

/**
 * The dynamic reservoir before it is clipped (§5.1): how much longer the segments ahead take to load at exactly the
 * lowest bitrate than to play, ms. A segment of unknown size counts as bitrate × duration, that is for nothing.
 */
export function reservoirMs({ knownBytes, known }: Ahead, { ladder, segmentMs }: SegmentSizes): number {
  return (knownBytes * 8) / ladder[0]!.bitrateKbps - known * segmentMs;
}
