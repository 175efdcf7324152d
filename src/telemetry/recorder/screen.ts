import type { Draft, JumpEvent, SeekEvent, StallEvent } from '../event.ts';
import { isStall } from '../../shared/stalls.ts';
import { roundedMs } from '../../shared/units.ts';

/** What was read of the media element at one moment. Times in ms: `atMs` of the session, all others of the presentation. */
export interface Reading {
  readonly atMs: number;
  readonly playheadMs: number;
  readonly rate: number;
  readonly paused: boolean;
  /** The playhead was moved, and the element may not have said so yet. */
  readonly isSeeking: boolean;
  /** Where the media ends that all tracks have at the playhead (HTMLMediaElement.buffered); null: one of them has none there. */
  readonly loadedToMs: number | null;
  /** Whether the browser reports the next frame that it presents; it does not in a hidden tab, without video, or at all. */
  readonly framesCome: boolean;
}

/** What the media element said. A seek of the player itself or of its recovery is no act of the viewer. */
export type ElementWord =
  | { readonly type: 'playing' | 'waiting' | 'pause' | 'ended' | 'seeked' | 'stop' }
  | { readonly type: 'seeking'; readonly by: 'viewer' | JumpEvent['by']; readonly beforeMs: number };

export type ScreenDraft = Draft<StallEvent | SeekEvent | JumpEvent>;

/** A frame on the screen: its session time and its time in the presentation, ms, and how many were presented until it. */
export interface Presented {
  readonly atMs: number;
  readonly mediaMs: number;
  readonly count: number;
}

/** A pure model of what the viewer sees and hears. */
export interface Screen {
  /** The element says something; the reading is of the same moment. */
  hear(word: ElementWord, reading: Reading): void;
  /** Looks at the element between two of its words. */
  look(reading: Reading): void;
  /** A frame was presented. Look at the element first. */
  present(frame: Presented): void;
  /** Whether the picture moves, as far as is known. */
  isMoving(): boolean;
  /** What goes on, as the log keeps it until it ends. */
  open(): { readonly stall: Draft<StallEvent> | null; readonly seek: Draft<SeekEvent> | null };
}

interface Standing {
  readonly atMs: number;
  readonly playheadMs: number;
  /** The playhead stood, too. */
  timeStood: boolean;
  /** The picture moved: what stands is the sound. */
  readonly pictureMoved: boolean;
}

/** A reading in which all tracks had media at the playhead, since the playhead was last moved. */
interface Inside extends Pick<Reading, 'atMs' | 'playheadMs'> {
  readonly loadedToMs: number;
}

interface Seek {
  readonly atMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A frame presented just before the picture stood may be reported just after, ms: a refresh of the screen. */
const FRAME_MS = 20;

/**
 * Frames are asked for every 200 ms: one that was presented this long after media ran out has been reported, ms. A buffer that is
 * replaced is empty for a moment, too, while the decoder has frames.
 */
const FRAME_DUE_MS = 300;

/** How long before `playing` a frame may be presented that it plays on with, and how far apart such frames are, ms. */
export const JUST_MS = 200;

/** Looks that are further apart say that the page was busy, ms: frames may have been presented meanwhile without a word. */
const BUSY_MS = 250;

/** Time between two frames of a film, ms: longest that frames which the page was not given are taken to be apart. */
const FILM_FRAME_MS = 42;

/**
 * With less media at hand than this the picture may stand while the sound plays on, ms: Chromium 156 stood 0.31 s in low latency
 * that was throttled, and the playhead had 42 ms left at the end.
 */
const SHORT_MS = 300;
/** The picture stood so long beside frames of no longer: a busy machine leaves out single ones, ms. */
const FEW_FRAMES_MS = 250;

/** Frames keep up with the playhead for so long where media of all tracks ran out, ms: the picture moves, and the sound stands. */
const SOUND_STANDS_MS = 1000;

/**
 * Media is there, and still no frame comes, ms: the browser has stopped to report frames, as it may where the video is covered.
 * A decoder needs less to catch up (`SETTLING_MS`).
 */
const NO_FRAMES_MS = 3000;

/**
 * Frames that came one after the other for so long are a picture that moves, ms, whatever element and buffer say. A stall in low
 * latency once stayed open for 12 s in which Chromium 156 presented frames; which of the two was wrong is not known.
 */
const MOVING_MS = 3000;

/**
 * Finds the stalls that the viewer sees. Before the first `playing` all waiting is join time. From then on the picture stands
 *
 * - from `waiting` on, while nobody paused or sought;
 * - from the moment when the playhead leaves the media that all tracks have. Chromium lets the playhead run on with the sound
 *   for up to 3.0 s before it says `waiting` (measured in Chromium 156: 2.94 to 3.10 s in 22 stalls);
 * - from a jump of the player itself on, until it plays on;
 * - where media has nearly run out, before a frame until which too few were presented.
 *
 * It moves again with the first frame that is presented after that, while time runs inside loaded media, or with the first of
 * those that come one after the other; where no frames are reported, once time runs inside loaded media. A pause, a seek of the viewer and the end also end a stall. A seek's wait is seeking → playing; a
 * seek while paused, or replaced by the next one, has none. Seeks before the first `playing` are the player finding its start.
 */
export const createScreen = (emit: (draft: ScreenDraft) => void): Screen => new ScreenModel(emit);

class ScreenModel implements Screen {
  readonly #emit: (draft: ScreenDraft) => void;
  #hasStarted = false;
  #isRunning = false;
  #standing: Standing | null = null;
  #seek: Seek | null = null;
  #inside: Inside | null = null;
  /** Where and when the playhead left what all tracks have, and no frame has come since. */
  #left: Pick<Standing, 'atMs' | 'playheadMs'> | null = null;
  /** The reading before; null: the playhead was moved since. */
  #before: Reading | null = null;
  /** Since when the playhead does less than half of its rate, or stood while the page was busy, ms; null: it does not. */
  #slowSinceMs: number | null = null;
  /** Since when media was at the playhead again, while the picture stood; null: it is not. */
  #insideSinceMs: number | null = null;
  /** When the element last said that it plays. */
  #playingSinceMs = 0;
  #lastFrame: Presented = { atMs: -Infinity, mediaMs: -Infinity, count: 0 };
  /** Least time between two frames of the stream, ms. */
  #frameMs = Infinity;
  /** Least media at hand since the last frame, ms. */
  #atHandMs = Infinity;
  /** The first frame after the picture stood, of those that came one after the other until now, ms. */
  #firstFrameMs = -Infinity;

  constructor(emit: (draft: ScreenDraft) => void) {
    this.#emit = emit;
  }

  hear(word: ElementWord, reading: Reading): void {
    switch (word.type) {
      case 'playing':
        return this.#play(reading);
      case 'waiting':
        return this.#wait(reading);
      case 'seeking':
        return this.#move(word, reading);
      case 'seeked':
        return reading.paused ? this.#endSeek(null) : undefined;
      case 'pause':
        this.look(reading);
        this.#end(reading.atMs);
        this.#isRunning = false;
        return;
      case 'ended':
      case 'stop':
        this.#finish(reading.atMs);
        if (word.type === 'stop') this.#hasStarted = false;
    }
  }

  look(reading: Reading): void {
    if (reading.isSeeking) return;
    const { atMs, playheadMs, loadedToMs, framesCome } = reading;
    const before = this.#before;
    this.#before = reading;
    if (before) this.#follow(before, reading);
    if (!this.#isRunning) return;
    if (loadedToMs !== null) {
      this.#inside = { atMs, playheadMs, loadedToMs };
      // Without frames nobody can tell until the next: NaN.
      this.#atHandMs = Math.min(this.#atHandMs, framesCome ? loadedToMs - playheadMs : NaN);
      if (this.#left && atMs - this.#left.atMs > NO_FRAMES_MS) this.#left = null;
      this.#settle(reading);
    } else if (this.#standing) this.#insideSinceMs = null;
    else if (this.#inside) this.#leave(this.#inside, reading);
  }

  /** Notices a page that was busy, a playhead that does not keep up with time, and one that goes on by itself. */
  #follow(before: Reading, { atMs, playheadMs, rate }: Reading): void {
    const passedMs = atMs - before.atMs;
    const movedMs = (playheadMs - before.playheadMs) / rate;
    if (passedMs > BUSY_MS) this.#left = null;
    // In a longer time it may have lost that bit by bit.
    const hasStood = passedMs - movedMs > BUSY_MS && passedMs < 4 * BUSY_MS;
    const keepsUp = before.paused || !(rate > 0) || (movedMs * 2 > passedMs && !hasStood);
    this.#slowSinceMs = keepsUp ? null : (this.#slowSinceMs ?? before.atMs + movedMs);
    // After a seek of the player itself time may run a while before the element says so.
    const hasMoved = movedMs >= FRAME_MS && movedMs <= passedMs + FRAME_MS;
    if (hasMoved && this.#standing && !this.#isRunning) this.#run(atMs);
  }

  present(frame: Presented): void {
    const [last, left] = [this.#lastFrame, this.#left];
    const isNext = this.#isAfterStop(last) && frame.atMs - last.atMs <= JUST_MS;
    if (!isNext) this.#firstFrameMs = frame.atMs;
    this.#lastFrame = frame;
    const stoodMs = this.#missedMs(last, frame);
    const hasStood = frame.atMs - last.atMs - (frame.count - last.count) * FILM_FRAME_MS > JUST_MS;
    if (left && hasStood && frame.atMs - left.atMs >= FRAME_DUE_MS) {
      // Media came back before a look could tell that the picture stood.
      this.#begin(left.atMs, left.playheadMs);
      this.#end(frame.atMs);
    } else if (this.#standing) this.#moveAgain(last, frame);
    else if (this.#isRunning && stoodMs >= FEW_FRAMES_MS) {
      this.#begin(frame.atMs - stoodMs, last.mediaMs);
      this.#end(frame.atMs);
    }
    this.#left = null;
  }

  /** Ends what stands where the frame shows that the picture moves. */
  #moveAgain(last: Presented, frame: Presented): void {
    if (this.#isRunning && this.#insideSinceMs !== null && this.#isAfterStop(frame))
      this.#end(this.#firstOfUnseen(last, frame));
    else if (!this.#standing!.pictureMoved && frame.atMs - this.#firstFrameMs >= MOVING_MS) {
      this.#end(this.#firstFrameMs);
      this.#inside = null;
    }
  }

  /** Returns for how long no frame was presented since the last that was reported, ms, where media has nearly run out; else 0. */
  #missedMs(last: Presented, frame: Presented): number {
    const [atHandMs, count] = [this.#atHandMs, frame.count - last.count];
    this.#atHandMs = Infinity;
    const apartMs = (frame.mediaMs - last.mediaMs) / count;
    if (apartMs > 0) this.#frameMs = Math.min(this.#frameMs, apartMs);
    // At half of the playback rate they are twice as far apart: still no stall.
    const shownMs = count * this.#frameMs;
    const isKnown = atHandMs < SHORT_MS && shownMs <= FEW_FRAMES_MS && last.atMs >= this.#playingSinceMs;
    return isKnown ? frame.atMs - last.atMs - shownMs : 0;
  }

  /** Returns when the first frame was presented after the picture stood, of those that came while the page was busy. */
  #firstOfUnseen(last: Presented, frame: Presented): number {
    if (last.atMs < this.#standing!.atMs - 2 * FRAME_MS) return frame.atMs;
    const count = frame.count - last.count;
    const apartMs = Math.min(FILM_FRAME_MS, Math.max(0, frame.mediaMs - last.mediaMs) / count);
    return Math.max(this.#playingSinceMs, this.#standing!.atMs, frame.atMs - (count - 1) * apartMs);
  }

  isMoving(): boolean {
    return this.#isRunning && this.#standing === null;
  }

  open(): ReturnType<Screen['open']> {
    const [standing, seek] = [this.#standing, this.#seek];
    return {
      stall: standing && {
        ...stallDraft(standing, standing.atMs),
        durationMs: null,
        missing: { durationMs: 'in-flight' },
      },
      seek: seek && { ...seekDraft(seek, null), missing: { waitMs: 'in-flight' } },
    };
  }

  #play(reading: Reading): void {
    const { atMs } = reading;
    this.#hasStarted = true;
    this.#run(atMs);
    this.#endSeek(atMs);
    this.look(reading);
    // Frames may be presented just before the element says so.
    const isJust = this.#isAfterStop(this.#lastFrame) && atMs - this.#lastFrame.atMs <= JUST_MS;
    if (isJust && this.#insideSinceMs !== null) this.#end(this.#firstFrameMs);
  }

  #run(atMs: number): void {
    this.#isRunning = true;
    this.#playingSinceMs = atMs;
  }

  #wait(reading: Reading): void {
    // The picture stood when the playhead left what was loaded, or stood, and not when a busy page hears of it.
    this.look(reading);
    const sinceMs = Math.max(this.#playingSinceMs, this.#slowSinceMs ?? reading.atMs);
    if (this.#hasStarted && !reading.paused && !this.#seek)
      this.#begin(sinceMs, reading.playheadMs, { timeStood: true });
    this.#isRunning = false;
  }

  #move(
    { by, beforeMs }: Extract<ElementWord, { type: 'seeking' }>,
    { atMs, playheadMs, paused }: Reading,
  ): void {
    this.#inside = null;
    this.#before = null;
    this.#slowSinceMs = null;
    if (!this.#hasStarted) return;
    this.#isRunning = false;
    if (by === 'viewer') {
      this.#end(atMs);
      this.#endSeek(null);
      this.#seek = { atMs, fromMs: beforeMs, toMs: playheadMs };
      return;
    }
    this.#emit({ kind: 'jump', atMs, fromMs: beforeMs, toMs: playheadMs, by, missing: {} });
    if (!paused && !this.#seek) this.#begin(atMs, beforeMs, { timeStood: true });
  }

  #finish(atMs: number): void {
    this.#end(atMs);
    this.#endSeek(null);
    this.#isRunning = false;
    this.#inside = null;
  }

  /** Media of all tracks is at the playhead. */
  #settle({ atMs, framesCome }: Reading): void {
    if (!this.#standing) return;
    const sinceMs = (this.#insideSinceMs ??= atMs);
    if (!framesCome || this.#standing.pictureMoved) this.#end(atMs);
    else if (atMs - sinceMs > NO_FRAMES_MS) this.#end(sinceMs);
  }

  /** The playhead has left what all tracks have: when is known from a reading on either side. */
  #leave(inside: Inside, { atMs, playheadMs, framesCome }: Reading): void {
    const endMs = inside.loadedToMs;
    if (!isStall(playheadMs - endMs)) return;
    const share = (endMs - inside.playheadMs) / (playheadMs - inside.playheadMs);
    const sinceMs = Math.max(this.#playingSinceMs, inside.atMs + share * (atMs - inside.atMs));
    const isSeen = framesCome && this.#lastFrame.atMs > sinceMs + FRAME_MS;
    if (!isSeen) {
      if (framesCome && atMs - sinceMs < FRAME_DUE_MS) this.#left = { atMs: sinceMs, playheadMs: endMs };
      else this.#begin(sinceMs, endMs);
      // Late frames of media that the playhead has passed are no picture that moves.
    } else if (playheadMs - this.#lastFrame.mediaMs < FRAME_DUE_MS && atMs - sinceMs >= SOUND_STANDS_MS)
      this.#begin(sinceMs, endMs, { pictureMoved: true });
  }

  #isAfterStop(frame: { readonly atMs: number }): boolean {
    return this.#standing !== null && frame.atMs >= this.#standing.atMs + FRAME_MS;
  }

  #begin(atMs: number, playheadMs: number, stood: Partial<Standing> = {}): void {
    this.#left = null;
    this.#standing ??= { atMs, playheadMs, timeStood: false, pictureMoved: false, ...stood };
    this.#standing.timeStood ||= stood.timeStood === true;
    this.#insideSinceMs = null;
  }

  #end(atMs: number): void {
    if (this.#standing) this.#emit(stallDraft(this.#standing, atMs));
    this.#standing = null;
    this.#left = null;
    this.#insideSinceMs = null;
  }

  #endSeek(playingMs: number | null): void {
    if (this.#seek) this.#emit(seekDraft(this.#seek, playingMs));
    this.#seek = null;
  }
}

const stallDraft = (
  { atMs, playheadMs, timeStood, pictureMoved }: Standing,
  endMs: number,
): Draft<StallEvent> => ({
  kind: 'stall',
  atMs: roundedMs(atMs),
  playheadMs: roundedMs(playheadMs),
  durationMs: roundedMs(Math.max(0, endMs - atMs)),
  stands: timeStood ? 'both' : pictureMoved ? 'sound' : 'picture',
  missing: {},
});

const seekDraft = ({ atMs, fromMs, toMs }: Seek, playingMs: number | null): Draft<SeekEvent> =>
  playingMs === null
    ? { kind: 'seek', atMs, fromMs, toMs, waitMs: null, missing: { waitMs: 'not-applicable' } }
    : { kind: 'seek', atMs, fromMs, toMs, waitMs: roundedMs(playingMs - atMs), missing: {} };
