import type { Draft, JumpEvent, SeekEvent, StallEvent } from '../event.ts';
import { isStall } from '../../shared/stalls.ts';

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

/** A pure model of what the viewer sees and hears. */
export interface Screen {
  /** The element says something; the reading is of the same moment. */
  hear(word: ElementWord, reading: Reading): void;
  /** Looks at the element between two of its words. */
  look(reading: Reading): void;
  /** A frame was presented; `mediaMs` is its time in the presentation. Look at the element first. */
  present(frame: { readonly atMs: number; readonly mediaMs: number }): void;
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

/** How long before `playing` the frame may be presented that it plays on with, ms. */
const JUST_MS = 200;

/** Frames keep up with the playhead for so long where media of all tracks ran out, ms: the picture moves, and the sound stands. */
const SOUND_STANDS_MS = 1000;

/**
 * Media is there, and still no frame comes, ms: the browser has stopped to report frames, as it may where the video is covered.
 * A decoder needs less to catch up (`SETTLING_MS`).
 */
const NO_FRAMES_MS = 3000;

/**
 * Finds the stalls that the viewer sees. Before the first `playing` all waiting is join time. From then on the picture stands
 *
 * - from `waiting` on, while nobody paused or sought;
 * - from the moment when the playhead leaves the media that all tracks have. Chromium lets the playhead run on with the sound
 *   for up to 3.0 s before it says `waiting` (measured in Chromium 156: 2.94 to 3.10 s in 22 stalls);
 * - from a jump of the player itself on, until it plays on.
 *
 * It moves again with the first frame that is presented after that, while time runs; where no frames are reported, once time
 * runs inside loaded media. A pause, a seek of the viewer and the end also end a stall. A seek's wait is seeking → playing; a
 * seek while paused, or replaced by the next one, has none. Seeks before the first `playing` are the player finding its start.
 */
export function createScreen(emit: (draft: ScreenDraft) => void): Screen {
  let hasStarted = false;
  let isRunning = false;
  let standing: Standing | null = null;
  let seek: Seek | null = null;
  let loadedToMs: number | null = null;
  /** Since when media was at the playhead again, while the picture stood; null: it is not. */
  let insideSinceMs: number | null = null;
  /** When the element last said that it plays. */
  let playingSinceMs = 0;
  let lastFrame = { atMs: -Infinity, mediaMs: -Infinity };

  const begin = (atMs: number, playheadMs: number, stood: Partial<Standing> = {}): void => {
    standing ??= { atMs, playheadMs, timeStood: false, pictureMoved: false, ...stood };
    standing.timeStood ||= stood.timeStood === true;
    insideSinceMs = null;
  };
  const isAfterStop = (frame: { readonly atMs: number }): boolean =>
    standing !== null && frame.atMs >= standing.atMs + FRAME_MS;
  /** The playhead is outside what all tracks have. */
  const leave = ({ atMs, playheadMs, rate, framesCome }: Reading, endMs: number): void => {
    const overMs = playheadMs - endMs;
    if (!(rate > 0) || !isStall(overMs)) return;
    const sinceMs = Math.max(playingSinceMs, atMs - overMs / rate);
    const isSeen = framesCome && lastFrame.atMs > sinceMs + FRAME_MS;
    if (!isSeen && (!framesCome || atMs - sinceMs >= FRAME_DUE_MS)) begin(sinceMs, endMs);
    // Late frames of media that the playhead has passed are no picture that moves.
    const isMoving = isSeen && playheadMs - lastFrame.mediaMs < FRAME_DUE_MS;
    if (isMoving && atMs - sinceMs >= SOUND_STANDS_MS) begin(sinceMs, endMs, { pictureMoved: true });
  };
  const end = (atMs: number): void => {
    if (standing) emit(stallDraft(standing, atMs));
    standing = null;
    insideSinceMs = null;
  };
  const endSeek = (playingMs: number | null): void => {
    if (seek) emit(seekDraft(seek, playingMs));
    seek = null;
  };
  const look = (reading: Reading): void => {
    const { atMs, loadedToMs: nowToMs, framesCome } = reading;
    if (!isRunning || reading.isSeeking) return;
    if (nowToMs === null) {
      if (standing) insideSinceMs = null;
      else if (loadedToMs !== null) leave(reading, loadedToMs);
      return;
    }
    loadedToMs = nowToMs;
    if (!standing) return;
    insideSinceMs ??= atMs;
    if (!framesCome || standing.pictureMoved) end(atMs);
    else if (atMs - insideSinceMs > NO_FRAMES_MS) end(insideSinceMs);
  };
  const sought = (word: Extract<ElementWord, { type: 'seeking' }>, { atMs, playheadMs, paused }: Reading) => {
    loadedToMs = null;
    if (!hasStarted) return;
    if (word.by === 'viewer') {
      end(atMs);
      endSeek(null);
      seek = { atMs, fromMs: word.beforeMs, toMs: playheadMs };
    } else {
      emit({ kind: 'jump', atMs, fromMs: word.beforeMs, toMs: playheadMs, by: word.by, missing: {} });
      if (!paused && !seek) begin(atMs, word.beforeMs, { timeStood: true });
    }
    isRunning = false;
  };
  return {
    hear(word, reading) {
      const { atMs, playheadMs, paused } = reading;
      switch (word.type) {
        case 'playing':
          hasStarted = true;
          isRunning = true;
          playingSinceMs = atMs;
          endSeek(atMs);
          look(reading);
          // The first frame may be presented just before the element says so.
          if (insideSinceMs !== null && isAfterStop(lastFrame) && atMs - lastFrame.atMs <= JUST_MS)
            end(lastFrame.atMs);
          return;
        case 'waiting':
          // What was loaded when the playhead left it is when the picture stood, not when the element says so.
          look(reading);
          if (hasStarted && !paused && !seek) begin(atMs, playheadMs, { timeStood: true });
          isRunning = false;
          return;
        case 'seeking':
          return sought(word, reading);
        case 'seeked':
          if (paused) endSeek(null);
          return;
        case 'pause':
          look(reading);
          end(atMs);
          isRunning = false;
          return;
        case 'ended':
        case 'stop':
          end(atMs);
          endSeek(null);
          isRunning = false;
          loadedToMs = null;
          if (word.type === 'stop') hasStarted = false;
      }
    },
    look,
    present(frame) {
      lastFrame = frame;
      if (isAfterStop(frame) && isRunning && insideSinceMs !== null) end(frame.atMs);
    },
    isMoving: () => isRunning && standing === null,
    open: () => ({
      stall: standing && {
        ...stallDraft(standing, standing.atMs),
        durationMs: null,
        missing: IN_FLIGHT.stall,
      },
      seek: seek && { ...seekDraft(seek, null), missing: IN_FLIGHT.seek },
    }),
  };
}

const IN_FLIGHT = { stall: { durationMs: 'in-flight' }, seek: { waitMs: 'in-flight' } } as const;

const stallDraft = (
  { atMs, playheadMs, timeStood, pictureMoved }: Standing,
  endMs: number,
): Draft<StallEvent> => ({
  kind: 'stall',
  atMs: rounded(atMs),
  playheadMs: rounded(playheadMs),
  durationMs: rounded(Math.max(0, endMs - atMs)),
  stands: timeStood ? 'both' : pictureMoved ? 'sound' : 'picture',
  missing: {},
});

const seekDraft = ({ atMs, fromMs, toMs }: Seek, playingMs: number | null): Draft<SeekEvent> =>
  playingMs === null
    ? { kind: 'seek', atMs, fromMs, toMs, waitMs: null, missing: { waitMs: 'not-applicable' } }
    : { kind: 'seek', atMs, fromMs, toMs, waitMs: rounded(playingMs - atMs), missing: {} };

/** ms, to a µs. */
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
