import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_REPEATS, repeatStuckSeek, STUCK_MS } from './repeatStuckSeek.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An element that takes each seek as a browser does: its event comes, and it settles by itself or it does not. */
function element(ranges: readonly (readonly [number, number])[]) {
  let currentTime = 0;
  const target = Object.assign(new EventTarget(), {
    seeking: false,
    duration: 72,
    sought: [] as number[],
    buffered: {
      length: ranges.length,
      start: (range: number) => ranges[range]![0],
      end: (range: number) => ranges[range]![1],
    },
  });
  const video = Object.defineProperty(target, 'currentTime', {
    get: () => currentTime,
    set(to: number) {
      currentTime = to;
      target.seeking = true;
      target.sought.push(to);
      setTimeout(() => target.dispatchEvent(new Event('seeking')), 1);
    },
  }) as typeof target & { currentTime: number };
  return video;
}

describe('a seek that does not settle', () => {
  it('is repeated once its media was loaded for a while, and nobody else gets its event', () => {
    const video = element([[38, 58]]);
    const others: number[] = [];
    const onRepeat = vi.fn();
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 0, onRepeat });
    video.addEventListener('seeking', () => void others.push(video.currentTime));
    video.currentTime = 40;
    vi.advanceTimersByTime(STUCK_MS + 600);
    expect(video.sought).toEqual([40, 40]);
    expect(others).toEqual([40]);
    expect(onRepeat.mock.calls).toEqual([['the browser']]);
    dispose();
  });

  it.each([
    ['its media is not loaded', element([[0, 39]])],
    ['too little of it is loaded', element([[40, 40.2]])],
    ['a gap is before it', element([[40.1, 58]])],
    ['nothing is loaded', element([])],
  ])('is left alone while %s', (_what, video) => {
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 1, onRepeat: vi.fn() });
    video.currentTime = 40;
    vi.advanceTimersByTime(20_000);
    expect(video.sought).toEqual([40]);
    dispose();
  });

  it('is repeated a few times only, and a new seek counts anew', () => {
    const video = element([[0, 72]]);
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 1, onRepeat: vi.fn() });
    video.currentTime = 40;
    vi.advanceTimersByTime(60_000);
    expect(video.sought).toHaveLength(1 + MAX_REPEATS);
    video.currentTime = 71.9;
    vi.advanceTimersByTime(60_000);
    expect(video.sought).toHaveLength(2 * (1 + MAX_REPEATS));
    dispose();
  });

  it('is given twice the time after each repeat, as one that is only slow begins anew', () => {
    const video = element([[0, 72]]);
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 1, onRepeat: vi.fn() });
    const startMs = performance.now();
    video.currentTime = 40;
    const seen: number[] = [];
    for (let ms = 0; ms < 40_000; ms += 50) {
      vi.advanceTimersByTime(50);
      if (video.sought.length > seen.length) seen.push(performance.now() - startMs);
    }
    const waits = seen.slice(1).map((ms, index) => ms - seen[index]!);
    expect(waits).toHaveLength(MAX_REPEATS);
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(STUCK_MS * 2 ** index);
      expect(wait).toBeLessThan(STUCK_MS * 2 ** index + 600);
    });
    dispose();
  });

  it('waits for looks, not for time: a page without the processor is not sought again', () => {
    const video = element([[0, 72]]);
    const onRepeat = vi.fn();
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 1, onRepeat });
    video.currentTime = 40;
    vi.advanceTimersByTime(600);
    // Nothing of the page ran for 10 s.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    vi.advanceTimersByTime(600);
    expect(onRepeat).not.toHaveBeenCalled();
    dispose();
    vi.restoreAllMocks();
  });

  it('is not repeated once it settled, nor after the end of the player', () => {
    const video = element([[0, 72]]);
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => 1, onRepeat: vi.fn() });
    video.currentTime = 40;
    vi.advanceTimersByTime(100);
    video.seeking = false;
    vi.advanceTimersByTime(20_000);
    video.currentTime = 50;
    vi.advanceTimersByTime(100);
    dispose();
    vi.advanceTimersByTime(20_000);
    expect(video.sought).toEqual([40, 50]);
  });

  it('is repeated, and everyone gets its event, while its media is neither loaded nor asked for', () => {
    const video = element([[10, 20]]);
    const others: number[] = [];
    const onRepeat = vi.fn();
    let requests = 1;
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => requests, onRepeat });
    video.addEventListener('seeking', () => void others.push(video.currentTime));
    video.currentTime = 1.5;
    vi.advanceTimersByTime(20_000);
    expect(onRepeat).not.toHaveBeenCalled();
    requests = 0;
    vi.advanceTimersByTime(STUCK_MS + 600);
    expect(onRepeat.mock.calls).toEqual([['dash.js']]);
    expect(others).toEqual([1.5, 1.5]);
    dispose();
  });

  it('is not repeated while requests for its media come and go', () => {
    const video = element([]);
    const onRepeat = vi.fn();
    let requests = 0;
    const dispose = repeatStuckSeek(video, { requestsInFlight: () => requests, onRepeat });
    video.currentTime = 1.5;
    for (let second = 0; second < 20; second += 1) {
      requests = second % 2;
      vi.advanceTimersByTime(1000);
    }
    expect(onRepeat).not.toHaveBeenCalled();
    dispose();
  });
});
