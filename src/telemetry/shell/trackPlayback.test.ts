import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import { createDashAdapter } from './dashAdapter.ts';
import { liveLatencyMs, type PlaybackSurroundings } from './surroundings.ts';
import { trackPlayback } from './trackPlayback.ts';

beforeEach(() => {
  vi.useFakeTimers();
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An element that is played by hand, and the states of playback and the stalls that were recorded. */
function element(ended = false) {
  const video = Object.assign(new EventTarget(), {
    ended,
    paused: false,
    seeking: false,
    currentTime: 24,
    playbackRate: 1,
    duration: 600,
    buffered: { length: 1, start: () => 0, end: () => 600 },
  });
  const states: string[] = [];
  const stalls: (number | null)[] = [];
  let nowMs = 0;
  const listeners: { name: string; listener: (payload: object) => void }[] = [];
  const recording = {
    record(draft: Draft) {
      if (draft.kind === 'playback') states.push(draft.state);
      if (draft.kind === 'stall') stalls.push(draft.durationMs);
    },
    reserveId: () => 'id',
    keepOpen: () => undefined,
    drop: () => undefined,
  };
  const player = {
    on: (name: string, listener: (payload: object) => void) => void listeners.push({ name, listener }),
    off: () => undefined,
    isReady: () => false,
    getCurrentLiveLatency: () => NaN,
    getAutoPlay: () => false,
  };
  const announce = (event: string): void => {
    for (const { name, listener } of listeners) if (name === event) listener({});
  };
  const clock = { nowMs: () => nowMs, sessionMs: (ms: number) => ms };
  const { dispose } = trackPlayback({
    video,
    adapter: createDashAdapter(player as unknown as MediaPlayerClass),
    recording,
    clock,
    keepQueryValues: false,
  } as unknown as PlaybackSurroundings);
  return {
    states,
    stalls,
    dispose,
    wait: (ms: number) => void (nowMs += ms),
    /** dash.js takes the stream off: for another source, or because it is reset. */
    takeOff(what: 'for another' | 'by a reset') {
      announce('streamTeardownComplete');
      if (what === 'for another') announce('manifestLoadingStarted');
    },
    say: (type: string, change: Partial<typeof video> = {}) =>
      void Object.assign(video, change).dispatchEvent(new Event(type)),
    become: (change: Partial<typeof video>) => void Object.assign(video, change),
  };
}

describe('the end of playback', () => {
  test('is recorded when the element says it, and once', () => {
    const { states, say } = element();
    say('playing');
    say('pause', { ended: true, paused: true });
    say('ended');
    vi.advanceTimersByTime(5000);
    expect(states).toEqual(['playing', 'paused', 'ended']);
  });

  test('is recorded within a second where the element is at its end and says nothing', () => {
    const { states, say, become } = element();
    say('playing');
    become({ ended: true, paused: true });
    vi.advanceTimersByTime(3000);
    say('ended');
    expect(states).toEqual(['playing', 'ended']);
  });

  test('is one end, however often the player seeks there again', () => {
    const { states, say } = element();
    say('playing');
    for (let turn = 0; turn < 10; turn += 1) {
      say('seeking', { ended: false, paused: true });
      say('seeked', { ended: true });
      vi.advanceTimersByTime(500);
    }
    expect(states).toEqual(['playing', 'ended']);
  });

  test('is recorded again when it is reached again', () => {
    const { states, say } = element();
    const end = (): void => say('ended', { ended: true, paused: true });
    end();
    say('seeked', { ended: false });
    end();
    say('playing', { ended: false, paused: false });
    end();
    expect(states).toEqual(['ended', 'ended', 'playing', 'ended']);
  });

  test('of what played before is none of this session', () => {
    const { states } = element(true);
    vi.advanceTimersByTime(3000);
    expect(states).toEqual([]);
  });
});

describe('the start of another source', () => {
  test('is no stall, and ends the one that was there', () => {
    const { stalls, say, wait, takeOff } = element();
    say('playing');
    say('waiting');
    wait(300);
    takeOff('for another');
    wait(100);
    say('waiting');
    wait(2000);
    say('playing');
    say('waiting');
    wait(50);
    say('playing');
    expect(stalls).toEqual([300, 50]);
  });

  test('a reset starts nothing: a stall lasts until the recording ends', () => {
    const { stalls, say, wait, takeOff, dispose } = element();
    say('playing');
    say('waiting');
    wait(300);
    takeOff('by a reset');
    wait(100);
    dispose();
    expect(stalls).toEqual([400]);
  });
});

test('there is no latency before the element has its place', () => {
  const of = (latencyS: number, isSeeking = false): number | null =>
    liveLatencyMs({
      isReady: () => true,
      isSeeking: () => isSeeking,
      getCurrentLiveLatency: () => latencyS,
    } as unknown as Parameters<typeof liveLatencyMs>[0]);
  expect([of(NaN), of(0), of(2.4, true), of(2.4)]).toEqual([null, null, null, 2400]);
});
