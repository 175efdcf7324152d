import type { Draft, PlaybackEvent, SeekEvent, StallEvent } from '../event.ts';

/** What the video element said, with the playhead and whether it is paused at that moment. */
export interface ElementEvent {
  readonly type: 'playing' | 'waiting' | 'pause' | 'ended' | 'seeking' | 'seeked' | 'stop';
  readonly atMs: number;
  readonly playheadMs: number;
  /** Where the playhead was before a seek moved it. */
  readonly beforeMs: number;
  readonly paused: boolean;
}

interface Begun {
  readonly atMs: number;
  readonly playheadMs: number;
}

/** Stalls and seeks in progress; the fold's state. */
interface PlaybackState {
  /** The first frame was shown: from here on waiting is a stall, before it is join time. */
  readonly started: boolean;
  readonly stall: Begun | null;
  readonly seek: (Begun & { readonly fromMs: number }) | null;
}

export const NOT_STARTED: PlaybackState = { started: false, stall: null, seek: null };

interface PlaybackStep {
  readonly state: PlaybackState;
  /** Stalls and seeks that ended with this event. */
  readonly ended: readonly Draft<StallEvent | SeekEvent>[];
}

/**
 * Stalls and seeks out of what the video element says. A stall is waiting → playing after the first playing, while
 * nobody paused or sought; a pause, a seek or the end also ends it. A seek's wait is seeking → playing; a seek while
 * paused, or overtaken by the next seek, has none. Seeks before the first frame are the player finding its start.
 * After a stop, the next first frame is awaited.
 */
export function foldPlayback(state: PlaybackState, event: ElementEvent): PlaybackStep {
  switch (event.type) {
    case 'playing':
      return {
        state: { started: true, stall: null, seek: null },
        ended: [...stallUntil(state, event), ...seekUntil(state, event.atMs)],
      };
    case 'waiting':
      return { state: waiting(state, event), ended: [] };
    case 'seeking':
      return sought(state, event);
    case 'seeked':
      return event.paused
        ? { state: { ...state, seek: null }, ended: seekUntil(state, null) }
        : { state, ended: [] };
    case 'pause':
      return { state: { ...state, stall: null }, ended: stallUntil(state, event) };
    case 'ended':
    case 'stop':
      return {
        state: event.type === 'stop' ? NOT_STARTED : { ...state, stall: null, seek: null },
        ended: [...stallUntil(state, event), ...seekUntil(state, null)],
      };
  }
}

/** What is in progress, as the log keeps it while it lasts. */
export function openDrafts({ stall, seek }: PlaybackState): {
  stall: Draft<StallEvent> | null;
  seek: Draft<SeekEvent> | null;
} {
  return {
    stall: stall && {
      kind: 'stall',
      ...stall,
      durationMs: null,
      missing: { durationMs: 'in-flight' },
    },
    seek: seek && { ...seekDraft(seek), waitMs: null, missing: { waitMs: 'in-flight' } },
  };
}

/** The element's events that are states of playback in the log. */
export const PLAYBACK_STATES: Readonly<Record<string, PlaybackEvent['state']>> = {
  play: 'play-requested',
  playing: 'playing',
  waiting: 'waiting',
  pause: 'paused',
  ended: 'ended',
  ratechange: 'rate',
};

function waiting(state: PlaybackState, { atMs, playheadMs, paused }: ElementEvent): PlaybackState {
  const stalls = state.started && !paused && !state.seek && !state.stall;
  return stalls ? { ...state, stall: { atMs, playheadMs } } : state;
}

function sought(state: PlaybackState, event: ElementEvent): PlaybackStep {
  if (!state.started) return { state, ended: [] };
  const seek = { atMs: event.atMs, playheadMs: event.playheadMs, fromMs: event.beforeMs };
  return {
    state: { ...state, stall: null, seek },
    ended: [...stallUntil(state, event), ...seekUntil(state, null)],
  };
}

function stallUntil({ stall }: PlaybackState, { atMs }: ElementEvent): Draft<StallEvent>[] {
  return stall ? [{ kind: 'stall', ...stall, durationMs: between(stall, atMs), missing: {} }] : [];
}

function seekUntil({ seek }: PlaybackState, playingMs: number | null): Draft<SeekEvent>[] {
  if (!seek) return [];
  const draft = seekDraft(seek);
  return playingMs === null
    ? [{ ...draft, waitMs: null, missing: { waitMs: 'not-applicable' } }]
    : [{ ...draft, waitMs: between(seek, playingMs), missing: {} }];
}

function seekDraft({ atMs, playheadMs, fromMs }: NonNullable<PlaybackState['seek']>) {
  return { kind: 'seek' as const, atMs, fromMs, toMs: playheadMs };
}

/** ms, rounded to µs. */
const between = (begun: Begun, endMs: number): number => Math.round((endMs - begun.atMs) * 1000) / 1000;
