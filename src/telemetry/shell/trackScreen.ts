import type { EventKind, JumpEvent } from '../event.ts';
import {
  createScreen,
  type ElementWord,
  type Presented,
  type Reading,
  type Screen,
  type ScreenDraft,
} from '../recorder/screen.ts';
import { guarded, onEvents } from './onEvents.ts';
import { playheadMs, type PlaybackSurroundings } from './surroundings.ts';

/** How often the element is looked at while it plays. What happened in between is dated back. */
const LOOK_MS = 200;
const WORDS = ['playing', 'waiting', 'pause', 'ended', 'seeked', 'seeking'] as const;

/** A frame that was presented, and its height in pixels. */
interface Frame extends Presented {
  readonly height: number;
}

/** What is known of a position: whether the picture moves there, and the frame that was presented, if one was. */
export interface Position {
  readonly reading: Reading;
  readonly isMoving: boolean;
  readonly frame: Frame | null;
  /** Whether frames are asked for: then the level goes by them. */
  readonly byFrames: boolean;
}

type PositionListener = (position: Position) => void;

/** Follows what the screen shows. */
export interface ScreenTracking {
  onPosition(listener: PositionListener): void;
  /** Asks for the next frame also where nothing else does. */
  expectFrame(): void;
  /** Says that the next seek is asked for by this one: a page need not, but then a seek in a live stream may be the player's. */
  expectSeek(by: SeekBy): void;
  /** Takes the end of the element where it did not say so. */
  end(): void;
  dispose(): void;
}

export type SeekBy = 'viewer' | JumpEvent['by'];

/**
 * Stalls, seeks and jumps, from the element, its buffer and the frames that it presents.
 * @param onFirstFrame called when the first frame is presented that play was requested for, with its session time in ms
 */
export function trackScreen(
  around: PlaybackSurroundings,
  onFirstFrame: (atMs: number) => void,
): ScreenTracking {
  const { video, adapter } = around;
  const follower = followScreen(around, onFirstFrame);
  const { frames, look, hear } = follower;
  const seeks = watchSeeks(around, { hear, hasStall: follower.hasStall });
  const onWord = ({ type }: Pick<Event, 'type'>): void => {
    seeks.settle();
    if (type === 'seeking') seeks.take(follower.read());
    else hear({ type: type as Exclude<ElementWord['type'], 'seeking'> });
  };
  const offWords = onEvents(video, WORDS, onWord);
  const lookNow = guarded((): void => {
    if (!video.paused) look();
    else frames.expect();
  });
  const timer = setInterval(lookNow, LOOK_MS);
  const stop = (): void => {
    onWord({ type: 'stop' });
    frames.forget();
  };
  if (adapter.hasBegun) onWord({ type: 'playing' });
  const offSource = adapter.onNextSource(stop);
  // Where no frames are reported, a stall ends with what is appended.
  const offAppended = adapter.onAppended(look);
  return {
    onPosition: follower.onPosition,
    expectFrame: frames.expect,
    expectSeek: seeks.expect,
    end: () => onWord({ type: 'ended' }),
    dispose() {
      offSource();
      offAppended();
      clearInterval(timer);
      stop();
      frames.dispose();
      seeks.dispose();
      offWords();
    },
  };
}

/** Feeds the model of the screen, records what it finds, and reports each position. */
function followScreen(around: PlaybackSurroundings, onFirst: (atMs: number) => void) {
  const listeners: PositionListener[] = [];
  const read = createReader(around);
  const drafts = keepDrafts(around);
  const screen = createScreen(drafts.record);
  let stoodMs = 0;
  const report = (reading: Reading, frame: Frame | null = null): void => {
    const open = screen.open();
    drafts.keep(open);
    const isMoving = screen.isMoving();
    if (!isMoving) stoodMs = reading.atMs;
    const byFrames = reading.atMs - stoodMs < SETTLE_MS || isNearEnd(reading);
    for (const listener of listeners) listener({ reading, isMoving, frame, byFrames });
    if (open.stall || (byFrames && !frame)) frames.expect();
  };
  const frames = watchFrames(around, {
    onFirst,
    onFrame(frame) {
      const reading = read();
      screen.look(reading);
      screen.present(frame);
      report(reading, frame);
    },
  });
  return {
    read,
    frames,
    look(): void {
      const reading = read();
      screen.look(reading);
      report(reading);
    },
    hear(word: ElementWord, reading = read()): void {
      screen.hear(word, reading);
      report(reading);
    },
    hasStall: () => screen.open().stall !== null,
    onPosition: (listener: PositionListener): void => void listeners.push(listener),
  };
}

/** Records what ended, and keeps what lasts as open events. */
function keepDrafts({ recording }: Pick<PlaybackSurroundings, 'recording'>) {
  const ids = new Map<EventKind, string>();
  return {
    record(draft: ScreenDraft): void {
      recording.record(draft, ids.get(draft.kind));
      ids.delete(draft.kind);
    },
    keep({ stall, seek }: ReturnType<Screen['open']>): void {
      for (const draft of [stall, seek]) {
        if (!draft || ids.has(draft.kind)) continue;
        const id = recording.reserveId(draft.kind);
        ids.set(draft.kind, id);
        recording.keepOpen(draft, id);
      }
    },
  };
}

/** Largest gap over which browsers play, before a track's first media and between two of its segments, s. */
const SMALL_GAP_S = 0.1;
/** How long the last picture of a stream may stay until its sound ends, s. */
const END_S = 0.5;

function createReader({ video, clock }: PlaybackSurroundings): () => Reading {
  let lastEndS = NaN;
  const loadedToS = (atS: number): number | null => {
    const { buffered } = video;
    for (let range = 0; range < buffered.length; range += 1) {
      const endS = buffered.end(range);
      if (buffered.start(range) - SMALL_GAP_S <= atS && atS < endS) return (lastEndS = endS);
    }
    return atS >= lastEndS && lastEndS >= video.duration - END_S ? video.duration : null;
  };
  return () => {
    const toS = loadedToS(video.currentTime);
    return {
      atMs: clock.nowMs(),
      playheadMs: playheadMs(video),
      rate: video.playbackRate,
      paused: video.paused,
      isSeeking: video.seeking,
      loadedToMs: toS === null ? null : toS * 1000,
      framesCome: reportsFrames(video) && video.videoWidth > 0 && document.visibilityState !== 'hidden',
    };
  };
}

/** Whether the browser reports the frames that it presents (WICG, HTMLVideoElement.requestVideoFrameCallback). */
export const reportsFrames = (video: HTMLMediaElement): video is HTMLVideoElement =>
  'requestVideoFrameCallback' in video;

/**
 * Where the picture has just begun to move, and where media ends soon, frames tell what is seen. Elsewhere the playhead does,
 * and none are asked for: each has the browser draw the page, and with five a second recording took 1.34 times the processor time
 * of a bare page (Chromium 156).
 */
const SETTLE_MS = 1000;
const NEAR_END_MS = 1500;
const isNearEnd = ({ loadedToMs, playheadMs: atMs, rate }: Reading): boolean =>
  loadedToMs === null || loadedToMs - atMs < NEAR_END_MS * Math.max(1, rate);

/** Asks for one frame at a time. */
function watchFrames(
  { video, adapter, clock }: PlaybackSurroundings,
  { onFirst, onFrame }: { onFirst: (atMs: number) => void; onFrame: (frame: Frame) => void },
) {
  let handle: number | null = null;
  let hasFirst = adapter.hasBegun;
  const expect = (): void => {
    if (handle !== null || !reportsFrames(video) || (video.paused && hasFirst)) return;
    handle = video.requestVideoFrameCallback(onPresented);
  };
  const onPresented = guarded((_: number, frame: VideoFrameCallbackMetadata): void => {
    handle = null;
    const atMs = clock.sessionMs(frame.presentationTime);
    const isFirst = !hasFirst && (!video.paused || adapter.startsAlone());
    if (isFirst) onFirst(atMs);
    hasFirst ||= isFirst;
    onFrame({ atMs, mediaMs: frame.mediaTime * 1000, count: frame.presentedFrames, height: frame.height });
  });
  expect();
  return {
    expect,
    forget: () => void (hasFirst = false),
    dispose() {
      if (handle !== null && reportsFrames(video)) video.cancelVideoFrameCallback(handle);
    },
  };
}

/** The element says `seeking` at once; a player may find that there is nothing to do. */
const EXPECTED_MS = 1000;
/** A player that seeks out of a stall goes no further by itself, ms (dash.js, gaps.smallGapLimit). */
const NUDGE_MS = 1500;
/** A seek without a purpose: dash.js moves by 10 ms to wake a decoder up (StreamController._triggerUnusableKeySeek). */
const TINY_MS = 50;
/**
 * A viewer who seeks in a live stream has touched the page just before, ms. `navigator.userActivation` does not say so: a driver
 * such as Playwright activates the page with each call.
 */
const TOUCHED_MS = 5000;
const TOUCHES = ['pointerdown', 'keydown'] as const;
/**
 * Tells who sought. dash.js announces a seek of the element (`playbackSeeking`) unless it is one of its own over a gap, to the
 * window of a live stream or to what was appended. Some of its own it announces, too: those in a live stream that nobody touched,
 * and those that go nowhere or a little ahead out of a stall. Of a player that announces nothing each seek is judged so.
 */
function watchSeeks(
  { video, adapter, clock }: PlaybackSurroundings,
  { hear, hasStall }: { hear: (word: ElementWord, reading: Reading) => void; hasStall: () => boolean },
) {
  let beforeMs = playheadMs(video);
  let expected: { readonly by: SeekBy; readonly untilMs: number } | null = null;
  let isAsked = adapter.onSeekAsked === null;
  let touchedMs = -Infinity;
  let pending: { readonly reading: Reading; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  const isOwn = (byMs: number): boolean =>
    Math.abs(byMs) < TINY_MS ||
    (hasStall() && byMs > 0 && byMs < NUDGE_MS) ||
    (adapter.seeksAlone() && clock.nowMs() - touchedMs > TOUCHED_MS);
  const settle = (): void => {
    if (!pending) return;
    const { reading, timer } = pending;
    clearTimeout(timer);
    pending = null;
    const asked = expected && reading.atMs <= expected.untilMs ? expected.by : null;
    const by = asked ?? (isAsked && !isOwn(reading.playheadMs - beforeMs) ? 'viewer' : 'player');
    hear({ type: 'seeking', by, beforeMs }, reading);
    // A seek that follows before playing goes on starts from here.
    beforeMs = reading.playheadMs;
    expected = null;
    isAsked = adapter.onSeekAsked === null;
  };
  const onTime = (): void => {
    if (!video.seeking) beforeMs = playheadMs(video);
  };
  const onTouch = (): void => void (touchedMs = clock.nowMs());
  const offTouch = onEvents(globalThis, TOUCHES, onTouch);
  const offTime = onEvents(video, ['timeupdate'], onTime);
  const off = adapter.onSeekAsked?.(() => void (isAsked = true));
  return {
    expect: (by: SeekBy): void => void (expected = { by, untilMs: clock.nowMs() + EXPECTED_MS }),
    /** Takes a `seeking`, which reaches dash.js before or after this: who sought is known when both have seen it. */
    take(reading: Reading): void {
      pending = { reading, timer: setTimeout(settle) };
    },
    settle,
    dispose() {
      off?.();
      offTouch();
      offTime();
    },
  };
}
