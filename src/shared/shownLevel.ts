/** A media segment in the buffer. Times are ms of the presentation. */
export interface LoadedSegment {
  readonly fromMs: number;
  readonly toMs: number;
  readonly rung: number;
  readonly bitrateKbps: number;
}

/** A level that came on the screen (or, of audio, to the ear). */
export interface ShownLevel {
  readonly atMs: number;
  readonly before: LoadedSegment | null;
  readonly segment: LoadedSegment;
}

/** What lies in the buffer of one media type, and which of it is shown. */
export interface LevelModel {
  /** A segment was appended: it replaces what lay there. */
  append(segment: LoadedSegment): void;
  /** The buffer was cleared between two times. */
  clear(fromMs: number, toMs: number): void;
  /** A segment that is appended while it arrives, in chunks; null: none. */
  arriving(segment: LoadedSegment | null): void;
  /** What is shown moves to `mediaMs`. Returns the new level where that is another one. */
  moveTo(position: {
    readonly atMs: number;
    readonly mediaMs: number;
    readonly rate: number;
  }): ShownLevel | null;
  /** The playhead goes elsewhere, or the picture stands. */
  leave(): void;
}

/** Segments that are remembered; a player keeps some minutes around the playhead. */
const MAX_SEGMENTS = 2000;

/**
 * The level on the screen is that of the segment under the playhead. A segment that is replaced while it plays stays on the
 * screen until its end: a decoder goes on with what it has until the next key frame (W3C Media Source Extensions, coded frame
 * processing), and a segment begins with one.
 */
export function createLevelModel(): LevelModel {
  let loaded: readonly LoadedSegment[] = [];
  let current: LoadedSegment | null = null;
  let shown: LoadedSegment | null = null;
  let chunked: LoadedSegment | null = null;
  let lastMs = -Infinity;
  return {
    append(segment) {
      loaded = [...outside(loaded, segment.fromMs, segment.toMs), segment].slice(-MAX_SEGMENTS);
    },
    clear(fromMs, toMs) {
      loaded = outside(loaded, fromMs, toMs);
    },
    arriving(segment) {
      chunked = segment;
    },
    moveTo({ atMs, mediaMs, rate }) {
      const sinceMs = lastMs;
      lastMs = atMs;
      if (current && holds(current, mediaMs)) return null;
      const isJump = current === null;
      current =
        loaded.find((each) => holds(each, mediaMs)) ?? (chunked && holds(chunked, mediaMs) ? chunked : null);
      if (!current || isSameLevel(current, shown)) return null;
      const before = shown;
      shown = current;
      const enteredMs = atMs - Math.max(0, mediaMs - current.fromMs) / (rate > 0 ? rate : 1);
      return { atMs: isJump ? atMs : Math.max(sinceMs, enteredMs), before, segment: current };
    },
    leave() {
      current = null;
    },
  };
}

const holds = ({ fromMs, toMs }: LoadedSegment, mediaMs: number): boolean =>
  mediaMs >= fromMs && mediaMs < toMs;

const isSameLevel = (one: LoadedSegment, other: LoadedSegment | null): boolean =>
  one.rung === other?.rung && one.bitrateKbps === other.bitrateKbps;

/** What is left of the segments when a stretch is taken out. */
function outside(segments: readonly LoadedSegment[], fromMs: number, toMs: number): LoadedSegment[] {
  return segments.flatMap((each) => [
    ...(each.fromMs < fromMs ? [{ ...each, toMs: Math.min(each.toMs, fromMs) }] : []),
    ...(each.toMs > toMs ? [{ ...each, fromMs: Math.max(each.fromMs, toMs) }] : []),
  ]);
}
