/** A stretch of the presentation, ms. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A media segment in the buffer. */
export interface LoadedSegment extends Span {
  readonly rung: number;
  readonly bitrateKbps: number;
  /** Of its pictures, pixels, as the manifest says; null: it does not. */
  readonly height: number | null;
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
  moveTo(position: ShownPosition): ShownLevel | null;
  /** The picture stands. */
  pause(): void;
  /** The playhead goes elsewhere. */
  leave(): void;
}

/** A place in the presentation that was shown at a session time, both in ms. */
interface ShownPosition {
  readonly atMs: number;
  readonly mediaMs: number;
  readonly rate: number;
  /** Of the frame that was presented, pixels; absent: not known. */
  readonly height?: number;
}

/** Segments that are remembered; a player keeps some minutes around the playhead. */
const MAX_SEGMENTS = 2000;

const MAX_REPLACED = 50;

interface Replaced {
  readonly segment: LoadedSegment;
  /** The decoder had begun to read it. */
  readonly isRead: boolean;
}

/**
 * A decoder reads ahead of the playhead, ms. What it has begun to read it plays to its end, also where it is replaced: it goes on
 * with the old frames until the next key frame (W3C Media Source Extensions, coded frame processing), and a segment begins with
 * one.
 */
const READ_AHEAD_MS = 500;

/**
 * The level on the screen is that of the segment under the playhead. Where a segment was replaced, and the presented frames have
 * the height of what it replaced, that is still shown.
 */
export function createLevelModel(): LevelModel {
  let loaded: readonly LoadedSegment[] = [];
  let replaced: readonly Replaced[] = [];
  let mediaMsNow = NaN;
  let current: LoadedSegment | null = null;
  let shown: LoadedSegment | null = null;
  let chunked: LoadedSegment | null = null;
  let lastMs = -Infinity;
  const segmentAt = (mediaMs: number, height: number | undefined): LoadedSegment | null => {
    const here = (each: LoadedSegment | null): each is LoadedSegment => each !== null && holds(each, mediaMs);
    const old = replaced.filter(({ segment }) => here(segment));
    const now = loaded.find(here) ?? (here(chunked) ? chunked : null);
    const expected = old.findLast(({ isRead }) => isRead)?.segment ?? now;
    if (height === undefined || expected?.height === height) return expected;
    if (now?.height === height) return now;
    return old.findLast(({ segment }) => segment.height === height)?.segment ?? expected;
  };
  const takeOut = (span: Span, isRead: (segment: LoadedSegment) => boolean): void => {
    const old = loaded.filter((each) => meet(each, span));
    const hasOlder = (each: LoadedSegment): boolean =>
      replaced.some((other) => other.isRead && meet(other.segment, each));
    const taken = old.map((each) => ({ segment: each, isRead: isRead(each) && !hasOlder(each) }));
    replaced = [...replaced, ...taken].slice(-MAX_REPLACED);
    loaded = outside(loaded, span);
  };
  return {
    append(segment) {
      takeOut(segment, (each) => each.fromMs < mediaMsNow + READ_AHEAD_MS && each.toMs > mediaMsNow);
      loaded = [...loaded, segment].slice(-MAX_SEGMENTS);
    },
    clear: (fromMs, toMs) => takeOut({ fromMs, toMs }, () => false),
    arriving(segment) {
      chunked = segment;
    },
    moveTo({ atMs, mediaMs, rate, height }) {
      const sinceMs = lastMs;
      lastMs = atMs;
      mediaMsNow = mediaMs;
      const isJump = current === null;
      current = segmentAt(mediaMs, height);
      if (!current || isSameLevel(current, shown)) return null;
      const before = shown;
      shown = current;
      const enteredMs = atMs - Math.max(0, mediaMs - current.fromMs) / (rate > 0 ? rate : 1);
      return { atMs: isJump ? atMs : Math.max(sinceMs, enteredMs), before, segment: current };
    },
    pause() {
      current = null;
    },
    leave() {
      current = null;
      // A decoder begins anew, with what is loaded.
      replaced = [];
      mediaMsNow = NaN;
    },
  };
}

const holds = ({ fromMs, toMs }: LoadedSegment, mediaMs: number): boolean =>
  mediaMs >= fromMs && mediaMs < toMs;

const isSameLevel = (one: LoadedSegment, other: LoadedSegment | null): boolean =>
  one.rung === other?.rung && one.bitrateKbps === other.bitrateKbps;

const meet = (one: Span, other: Span): boolean => one.fromMs < other.toMs && one.toMs > other.fromMs;

/** What is left of the segments when a stretch is taken out. */
function outside(segments: readonly LoadedSegment[], { fromMs, toMs }: Span): LoadedSegment[] {
  return segments.flatMap((each) => [
    ...(each.fromMs < fromMs ? [{ ...each, toMs: Math.min(each.toMs, fromMs) }] : []),
    ...(each.toMs > toMs ? [{ ...each, fromMs: Math.max(each.fromMs, toMs) }] : []),
  ]);
}
