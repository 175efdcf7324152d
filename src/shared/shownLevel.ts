/** A stretch of the presentation, ms. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A media segment in the buffer. */
export interface LoadedSegment extends Span {
  readonly rung: number;
  readonly bitrateKbps: number;
  /** Height of the segment's pictures, in pixels, as the manifest says; null: it does not. */
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
  /** A segment is requested that is appended while it arrives, in chunks. */
  expect(segment: LoadedSegment): void;
  /** What is shown moves to `mediaMs`. Returns the new level where that is another one. */
  moveTo(position: ShownPosition): ShownLevel | null;
  /** Whether a segment that was replaced may be shown from here on: only the frames tell. */
  isUnsure(mediaMs: number): boolean;
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
  /** Height of the frame that was presented, in pixels; absent: not known. */
  readonly height?: number;
}

/** Segments that are remembered; a player keeps some minutes around the playhead. */
const MAX_SEGMENTS = 2000;

const MAX_REPLACED = 50;
const MAX_EXPECTED = 10;

interface Replaced {
  readonly segment: LoadedSegment;
  /** Whether the decoder had begun to read the segment. */
  readonly isRead: boolean;
}

/**
 * A decoder reads ahead of the playhead, ms. What it has begun to read it plays to its end, also where it is replaced: it goes on
 * with the old frames until the next key frame (W3C Media Source Extensions, coded frame processing), and a segment begins with
 * one.
 */
const READ_AHEAD_MS = 500;

/** Frames are presented so much after the playhead passed them, ms: some refreshes of the screen. */
const BEHIND_MS = 100;

/**
 * The level on the screen is that of the segment under the playhead. Where a segment was replaced, and the presented frames have
 * the height of what it replaced, that is still shown.
 */
export const createLevelModel = (): LevelModel => new BufferedLevels();

class BufferedLevels implements LevelModel {
  #loaded: readonly LoadedSegment[] = [];
  #replaced: readonly Replaced[] = [];
  #expected: readonly LoadedSegment[] = [];
  #current: LoadedSegment | null = null;
  #shown: LoadedSegment | null = null;
  #last = { atMs: -Infinity, mediaMs: NaN };

  append(segment: LoadedSegment): void {
    const { mediaMs } = this.#last;
    this.#takeOut(segment, (each) => each.fromMs < mediaMs + READ_AHEAD_MS && each.toMs > mediaMs);
    this.#loaded = [...this.#loaded, segment].slice(-MAX_SEGMENTS);
    this.#expected = this.#expected.filter(({ fromMs }) => fromMs !== segment.fromMs);
  }

  clear(fromMs: number, toMs: number): void {
    this.#takeOut({ fromMs, toMs }, () => false);
  }

  expect(segment: LoadedSegment): void {
    this.#expected = [...this.#expected, segment].slice(-MAX_EXPECTED);
  }

  moveTo(position: ShownPosition): ShownLevel | null {
    const last = this.#last;
    // A frame may be a little behind the playhead, which was the position before.
    if (position.mediaMs < last.mediaMs && position.mediaMs > last.mediaMs - BEHIND_MS) return null;
    this.#last = position;
    const isJump = this.#current === null;
    const segment = this.#segmentAt(position);
    this.#current = segment;
    if (!segment || isSameLevel(segment, this.#shown)) return null;
    const before = this.#shown;
    this.#shown = segment;
    const atMs = isJump
      ? enteredAfterStand(last, position, segment.fromMs)
      : enteredAtMs(last, position, segment.fromMs);
    return { atMs, before, segment };
  }

  isUnsure(mediaMs: number): boolean {
    const ahead = { fromMs: mediaMs, toMs: mediaMs + READ_AHEAD_MS };
    return this.#replaced.some(({ segment }) => meet(segment, ahead));
  }

  pause(): void {
    this.#current = null;
  }

  leave(): void {
    this.#current = null;
    // A decoder begins anew, with what is loaded.
    this.#replaced = [];
    this.#last = { atMs: -Infinity, mediaMs: NaN };
  }

  #segmentAt({ mediaMs, height }: ShownPosition): LoadedSegment | null {
    const at = (each: LoadedSegment): boolean => holds(each, mediaMs);
    const old = this.#replaced.filter(({ segment }) => at(segment));
    const now = this.#loaded.find(at) ?? this.#expected.filter(at).at(-1) ?? null;
    const expected = old.filter(({ isRead }) => isRead).at(-1)?.segment ?? now;
    if (height === undefined) return expected;
    const others = old.map(({ segment }) => segment).reverse();
    return [expected, now, ...others].find((each) => each?.height === height) ?? expected;
  }

  #takeOut(span: Span, isRead: (segment: LoadedSegment) => boolean): void {
    const hasOlder = (each: LoadedSegment): boolean =>
      this.#replaced.some((other) => other.isRead && meet(other.segment, each));
    const taken = this.#loaded
      .filter((each) => meet(each, span))
      .map((segment) => ({ segment, isRead: isRead(segment) && !hasOlder(segment) }));
    this.#replaced = [...this.#replaced, ...taken].slice(-MAX_REPLACED);
    this.#loaded = outside(this.#loaded, span);
  }
}

/** When the playhead was at a place between two positions: it may move slower than its rate says. */
function enteredAtMs(
  last: Pick<ShownPosition, 'atMs' | 'mediaMs'>,
  now: Omit<ShownPosition, 'height'>,
  placeMs: number,
): number {
  if (placeMs >= now.mediaMs) return now.atMs;
  if (!(last.mediaMs <= placeMs)) return Math.max(last.atMs, now.atMs - (now.mediaMs - placeMs) / now.rate);
  const share = (placeMs - last.mediaMs) / (now.mediaMs - last.mediaMs);
  return last.atMs + share * (now.atMs - last.atMs);
}

/** When the playhead was at a place, where it stood before: since then it moves at its rate. */
function enteredAfterStand(
  stood: Pick<ShownPosition, 'atMs' | 'mediaMs'>,
  now: Omit<ShownPosition, 'height'>,
  placeMs: number,
): number {
  // The level is another one where it stood.
  if (!(stood.mediaMs <= placeMs)) return now.atMs;
  return Math.max(stood.atMs, now.atMs - Math.max(0, now.mediaMs - placeMs) / now.rate);
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
