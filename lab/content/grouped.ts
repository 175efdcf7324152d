import type { IndexedSegment } from './boxes.ts';
import type { Track } from './track.ts';

/** The same track with every `count` chunks taken together as one segment. */
export function grouped(track: Track, count: number): Track {
  const segments: IndexedSegment[] = [];
  for (let first = 0; first < track.segments.length; first += count) {
    segments.push(merged(track.segments.slice(first, first + count)));
  }
  return { ...track, segments };
}

/** Chunks that lie one behind the other, as one. */
function merged(chunks: readonly IndexedSegment[]): IndexedSegment {
  const sum = (key: 'sizeBytes' | 'durationTicks'): number =>
    chunks.reduce((total, chunk) => total + chunk[key], 0);
  const { offset = 0, startTicks = 0 } = chunks[0] ?? {};
  return { offset, startTicks, sizeBytes: sum('sizeBytes'), durationTicks: sum('durationTicks') };
}
