import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leadOverHoles, nextListedS, type Timeline } from './holes.ts';

type Entry = Timeline['entries'][number];

describe('the segment that is listed next', () => {
  const hole: readonly Entry[] = [
    { t: 0, d: 2000, r: 5 },
    { t: 15_000, d: 2000, r: 6 },
  ];
  test.each<[string, readonly Entry[], number, number | null]>([
    ['before a hole', hole, 12, 15],
    ['before a hole, rounded', hole, 11.98, 15],
    ['within a run', hole, 6, null],
    ['at the end', hole, 29, null],
    ['behind the end', hole, 40, null],
    ['before the first, as in a live window that has moved on', hole.slice(1), 12, 15],
    ['where the next entry follows', [{ t: 0, d: 2000 }, { t: 2000, d: 3000 }, { d: 1000 }], 2, null],
    [
      'where the next entry is rounded',
      [
        { t: 0, d: 2000 },
        { t: 2020, d: 2000 },
      ],
      2,
      null,
    ],
    ['of two holes the first', [...hole, { t: 40_000, d: 2000 }], 12, 15],
    ['of two holes the second', [...hole, { t: 40_000, d: 2000 }], 29, 40],
    [
      'after a run up to the next entry',
      [
        { t: 0, d: 2000, r: -1 },
        { t: 15_000, d: 2000 },
      ],
      12,
      null,
    ],
    ['of no timeline', [], 12, null],
  ])('%s', (_, entries, endS, expected) =>
    expect(nextListedS({ timescale: 1000, entries }, endS)).toBe(expected),
  );
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** dash.js with one video track; its period begins at 100 s of the presentation and at 40 s of the media. */
function watch(entries: readonly Entry[], { isLive = false } = {}) {
  const listeners = new Map<string, (payload: object) => void>();
  const state = { entries, loading: 0, isPaused: false, isFinished: true, last: null as number | null };
  const times: number[] = [];
  const said: string[] = [];
  const seeks: unknown[] = [];
  const schedule = {
    getPlaybackController: () => ({
      getStreamController: () => ({ getStreams: () => [{ getStreamProcessors: () => [processor] }] }),
    }),
  };
  const mpd = {
    manifest: {
      get Period() {
        const SegmentTemplate = { SegmentTimeline: { S: state.entries } };
        return [{ AdaptationSet: [{}, { Representation: [{}, {}, { SegmentTemplate }] }] }];
      },
    },
  };
  const processor = {
    getType: () => 'video',
    getLastSegment: () =>
      state.last === null
        ? null
        : { presentationStartTime: state.last, mediaStartTime: state.last - 60, duration: 2 },
    getRepresentation: () => ({
      index: 2,
      timescale: 1000,
      adaptation: { index: 1, period: { index: 0, mpd } },
    }),
    getScheduleController: () => schedule,
    getFragmentModel: () => ({ getRequests: () => Array.from({ length: state.loading }) }),
    setExplicitBufferingTime: (seconds: number) => void times.push(seconds),
  };
  const handler = {
    getLastSegment: processor.getLastSegment,
    isLastSegmentRequested: (_: unknown, _bufferingTime: number) => state.isFinished,
  };
  const playback = { seek: (...given: unknown[]) => void seeks.push(given.slice(0, 3)) };
  const parts: Record<string, object> = { DashHandler: handler, PlaybackController: playback };
  const player = {
    extend: (name: string, extension: () => object) =>
      Object.assign(parts[name]!, extension.call({ parent: { ...parts[name] } })),
    on: (type: string, listener: () => void) => void listeners.set(type, listener),
    off: (type: string) => void listeners.delete(type),
    isReady: () => true,
    isDynamic: () => isLive,
    isPaused: () => state.isPaused,
    getActiveStream: () => ({ getStreamProcessors: () => [processor] }),
  } as unknown as MediaPlayerClass;
  const tell = (type: string, startTime: number, more: object = {}): void =>
    listeners.get(type)?.({
      request: { type: 'MediaSegment', mediaType: 'video', startTime, duration: 2, ...more },
    });
  const dispose = leadOverHoles(player, {
    notify: (sentence) => void said.push(sentence),
    onSeek: () => void seeks.push('own'),
  });
  return {
    state,
    times,
    said,
    tell,
    dispose,
    seeks,
    playback,
    /** Whether dash.js takes the stream for loaded when it looks for media at a time. */
    isLoaded: (atS: number) => handler.isLastSegmentRequested(processor.getRepresentation(), atS),
    load(startTime: number) {
      state.last = startTime;
      tell('fragmentLoadingCompleted', startTime);
    },
  };
}

const hole: readonly Entry[] = [
  { t: 40_000, d: 2000, r: 5 },
  { t: 55_000, d: 2000, r: 6 },
];

describe('a hole in a timeline', () => {
  test('is led over as soon as the segment before it is there, and named with its times', () => {
    const { load, times, said, tell } = watch(hole);
    load(108);
    expect(times).toEqual([]);
    load(110);
    expect(times).toEqual([115.01]);
    tell('fragmentLoadingStarted', 115, { mediaType: 'audio' });
    tell('fragmentLoadingStarted', NaN, { type: 'InitializationSegment' });
    expect(said).toEqual([]);
    tell('fragmentLoadingStarted', 115);
    tell('fragmentLoadingStarted', 117);
    expect(said).toEqual(['The manifest lists no video from 112.0 to 115.0 s, so playback jumps over that.']);
  });

  test('is nothing to speak of once a seek leads elsewhere', () => {
    const { load, said, tell } = watch(hole);
    load(110);
    tell('fragmentLoadingStarted', 102);
    tell('fragmentLoadingStarted', 115);
    expect(said).toEqual([]);
  });

  test('does not concern the end, another request, or a request that failed', () => {
    const { load, state, times, tell } = watch(hole);
    load(127);
    state.last = 110;
    tell('fragmentLoadingCompleted', 104);
    tell('fragmentLoadingCompleted', 110, { type: 'InitializationSegment' });
    expect(times).toEqual([]);
  });

  test('that a live stream lists only later is led over, unless something is on its way', () => {
    const { load, state, times } = watch(hole.slice(0, 1), { isLive: true });
    load(110);
    vi.advanceTimersByTime(5000);
    expect(times).toEqual([]);
    state.entries = hole;
    state.loading = 1;
    vi.advanceTimersByTime(1000);
    state.loading = 0;
    state.isPaused = true;
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([]);
    state.isPaused = false;
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([115.01]);
  });

  test('of a stream on demand is not looked for again and again', () => {
    const { state, times } = watch(hole);
    state.last = 110;
    vi.advanceTimersByTime(5000);
    expect(times).toEqual([]);
  });

  test('that is sought in a stream on demand is not its end', () => {
    const { state, isLoaded } = watch(hole);
    expect(isLoaded(113)).toBe(true);
    state.last = 127;
    expect([112, 113, 114.9].map(isLoaded)).toEqual([false, false, false]);
    expect([104, 115, 129, 140].map(isLoaded)).toEqual([true, true, true, true]);
    state.isFinished = false;
    expect(isLoaded(104)).toBe(false);
  });

  test('is left alone after the end', () => {
    const { load, dispose, times } = watch(hole, { isLive: true });
    dispose();
    load(110);
    vi.advanceTimersByTime(5000);
    expect([times, vi.getTimerCount()]).toEqual([[], 0]);
  });
});

test('a seek that dash.js makes by itself and announces is known before it is made', () => {
  const { seeks, playback } = watch(hole);
  // The first seek is the page's, the second goes over a gap, the third out of a hole.
  playback.seek(13, false, false, true);
  playback.seek(15.1, true, true);
  playback.seek(15.001, false, false);
  expect(seeks).toEqual([[13, false, false], [15.1, true, true], 'own', [15.001, false, false]]);
});
