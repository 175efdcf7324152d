import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRACE_MS, keepSeeksApart, letElementEnd } from './workarounds.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A player and its element; `look` is what becomes of dash.js' finding that the end is reached. */
function atTheEnd() {
  const video = Object.assign(new EventTarget(), { currentTime: 23.999999 });
  const received: { listener: (found: object) => void; priority: number }[] = [];
  const player = {
    on: (_type: string, listener: (found: object) => void, _scope: null, options: { priority: number }) =>
      void received.push({ listener, priority: options.priority }),
    off: () => void received.pop(),
  } as unknown as MediaPlayerClass;
  const dispose = letElementEnd(player, video);
  return {
    received,
    dispose,
    element: (type: string) => void video.dispatchEvent(new Event(type)),
    look(isLast = true) {
      const found = { isLast };
      for (const { listener } of received) listener(found);
      return found;
    },
  };
}

describe('letElementEnd', () => {
  it('keeps dash.js from acting on the end before the element said it', () => {
    const { look, received } = atTheEnd();
    expect(look()).toEqual({ isLast: false });
    // PlaybackController listens with 5000 (EventBus.js): what is changed must be changed before.
    expect(received[0]!.priority).toBeGreaterThan(5000);
  });

  it('passes on what follows the element, without a place to seek to that it cannot reach', () => {
    const { look, element } = atTheEnd();
    element('ended');
    expect(look()).toEqual({ isLast: true, seekTime: 23.999999 });
  });

  it('lets dash.js end playback where the element does not', () => {
    const { look } = atTheEnd();
    look();
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(look()).toEqual({ isLast: false });
    vi.advanceTimersByTime(1);
    expect(look()).toEqual({ isLast: true, seekTime: 23.999999 });
  });

  it.each(['playing', 'seeking'])('knows of no end any more after %s', (type) => {
    const { look, element } = atTheEnd();
    look();
    element('ended');
    element(type);
    vi.advanceTimersByTime(GRACE_MS);
    expect(look()).toEqual({ isLast: false });
  });

  it('leaves the end of a period that others follow alone, and everything once disposed', () => {
    const { look, dispose } = atTheEnd();
    expect(look(false)).toEqual({ isLast: false });
    dispose();
    expect(look()).toEqual({ isLast: true });
  });
});

/** A player whose first period of two, 0 to 24 s, plays; `amended` is what `keepSeeksApart` made of dash.js' objects. */
function twoPeriods() {
  const video = { seeking: false, currentTime: 10 };
  const calls: unknown[] = [];
  const controller = {
    getTimeToStreamEnd: () => 24 - video.currentTime,
    getStreamController: () => ({ getStreams: () => streams }),
  };
  const processor = {
    getScheduleController: () => ({ getPlaybackController: () => controller }),
    setExplicitBufferingTime: (seconds: number) => void calls.push(seconds),
  };
  const streams = [0, 1].map(() => ({
    getStreamProcessors: () => [processor],
    startPreloading: () => Promise.resolve(),
  }));
  let active = streams[0];
  const player = {
    isReady: () => true,
    getActiveStream: () => active,
    on: (_type: string, listener: () => void) => listener(),
  } as unknown as MediaPlayerClass;
  keepSeeksApart(player, video);
  return { video, calls, controller, processor, streams, play: (index: number) => (active = streams[index]) };
}

/** Whether a promise has resolved once all that was waiting has run. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

describe('keepSeeksApart', () => {
  it('calls no period loaded to its end because a seek led behind it', () => {
    const { video, controller } = twoPeriods();
    expect(controller.getTimeToStreamEnd()).toBe(14);
    Object.assign(video, { seeking: true, currentTime: 40 });
    expect(controller.getTimeToStreamEnd()).toBe(Infinity);
    // Played to its end, it is.
    Object.assign(video, { seeking: false, currentTime: 24.1 });
    expect(controller.getTimeToStreamEnd()).toBeCloseTo(-0.1);
  });

  it('lets a period be loaded ahead, but not one that plays by then: that one is loaded from the playhead', async () => {
    const { video, streams, play, calls } = twoPeriods();
    expect(await isDone(streams[1]!.startPreloading())).toBe(true);
    expect(calls).toEqual([]);
    video.currentTime = 40;
    const begun = streams[1]!.startPreloading();
    play(1);
    expect(await isDone(begun)).toBe(false);
    expect(calls).toEqual([40]);
  });
});
