import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  formatShortEnd,
  formatStandstill,
  GIVE_UP_MS,
  hangs,
  STANDSTILL_MS,
  watched,
  type Glance,
  type Standstill,
} from './standstill.ts';
import { watchFailures } from './watchFailures.ts';

const still: Omit<Glance, 'atMs'> = {
  playheadMs: 7000,
  buffered: '0-4',
  shouldPlay: true,
  isRecovering: false,
  requestsInFlight: 0,
  isLive: false,
  media: [
    { mediaType: 'video', aheadMs: 0, segments: 12 },
    { mediaType: 'audio', aheadMs: 9000, segments: 5 },
  ],
};

/** What is said after a look each second for `seconds`; `change` tells what each look differs in. */
function saidAfter(seconds: number, change: (second: number) => Partial<Glance> = () => ({})): string | null {
  let state: Standstill | null = null;
  for (let second = 0; second <= seconds; second += 1) {
    state = watched(state, { ...still, atMs: second * 1000, ...change(second) });
    const sentence = formatStandstill(state);
    if (sentence !== null) return sentence;
  }
  return null;
}
const limit = STANDSTILL_MS / 1000;
const long = limit * 10;

describe('playback that stands still without any error', () => {
  it('ends after its time, and says where and what is lacking', () => {
    expect(saidAfter(limit - 1)).toBeNull();
    expect(saidAfter(limit)).toBe(
      'Playback stands still at 7.0 s: no video can be played there, though no request failed; ' +
        'what is there was not loaded, is damaged or no media at all.',
    );
  });

  it('tells a decoder that does not go on from media that is not there', () => {
    const media = still.media.map((each) => ({ ...each, aheadMs: 9000 }));
    expect(saidAfter(limit, () => ({ media }))).toMatch(/although the media there is loaded/);
  });

  it('is not playback that moves, or a buffer that grows', () => {
    expect(saidAfter(long, (second) => ({ playheadMs: second }))).toBeNull();
    expect(saidAfter(long, (second) => ({ buffered: `0-${second}` }))).toBeNull();
  });

  it('is not pause or hidden tab, nor an outage that is being recovered from', () => {
    expect(saidAfter(long, () => ({ shouldPlay: false }))).toBeNull();
    expect(saidAfter(GIVE_UP_MS / 1000 - 1, () => ({ isRecovering: true }))).toBeNull();
  });

  it.each<[string, Partial<Glance>]>([
    ['a live stream', { isLive: true }],
    ['a recovery', { isRecovering: true }],
    ['a recovery of a live stream', { isLive: true, isRecovering: true }],
    ['a live stream that is asked for without an answer', { isLive: true, requestsInFlight: 1 }],
  ])('ends %s after two minutes without any segment, wherever the playhead is put', (_, change) => {
    const jumps = (second: number): Partial<Glance> => ({ ...change, playheadMs: 7000 + 5000 * second });
    expect(saidAfter(GIVE_UP_MS / 1000 - 1, jumps)).toBeNull();
    expect(saidAfter(GIVE_UP_MS / 1000, jumps)).toBe(
      'Playback stands still at 607.0 s: no segment came for 120 s, so playback ends here.',
    );
  });

  it('is not a video that outlasts its sound', () => {
    const media: Glance['media'] = [
      { mediaType: 'video', aheadMs: 9000, segments: 12 },
      { mediaType: 'audio', aheadMs: 0, segments: 5 },
    ];
    expect(saidAfter(long, (second) => ({ media, playheadMs: 1000 * second }))).toBeNull();
  });

  it('counts two minutes from the last segment, and not before the first or while paused', () => {
    const until = (second: number, last: number): Glance['media'] => [
      { mediaType: 'video', aheadMs: 0, segments: Math.min(second, last) },
      { mediaType: 'audio', aheadMs: 0, segments: 0 },
    ];
    const at = (last: number, change: Partial<Glance> = {}) => [
      ...[1, 0].map((less) =>
        saidAfter(last + GIVE_UP_MS / 1000 - less, (second) => ({
          isLive: true,
          media: until(second, last),
          ...(second < 40 && change),
        })),
      ),
    ];
    expect(at(9)).toEqual([null, expect.any(String)]);
    expect(at(0)).toEqual([null, null]);
    expect(at(9, { shouldPlay: false })).toEqual([null, null]);
  });

  it('counts anew after a pause', () => {
    const pausedAt = (second: number): Partial<Glance> => ({ shouldPlay: second !== limit - 1 });
    expect(saidAfter(limit + 5, pausedAt)).toBeNull();
    expect(saidAfter(2 * limit, pausedAt)).not.toBeNull();
  });

  it('is not a machine that slept', () => {
    expect(saidAfter(1, (second) => ({ atMs: second * 3_600_000 }))).toBeNull();
  });

  it('is not a request that is under way, however long', () => {
    expect(saidAfter(long, () => ({ requestsInFlight: 1 }))).toBeNull();
  });

  it('is one segment after the other of which nothing can be played', () => {
    const media = (second: number): Glance['media'] => [
      { mediaType: 'video', aheadMs: 0, segments: second },
      { mediaType: 'audio', aheadMs: 9000, segments: 5 },
    ];
    const said = saidAfter(long, (second) => ({ requestsInFlight: 1, media: media(second) }));
    expect(said).toMatch(/no video can be played/);
  });

  it('is not a live stream whose source is silent, but is one whose decoder does not go on', () => {
    expect(saidAfter(GIVE_UP_MS / 1000 - 1, () => ({ isLive: true }))).toBeNull();
    const media = still.media.map((each) => ({ ...each, aheadMs: 3000 }));
    expect(saidAfter(limit, () => ({ isLive: true, media }))).not.toBeNull();
  });
});

describe('a live stream whose requests get no answer', () => {
  const live = { isLive: true, requestsInFlight: 2 };
  /** Seconds at which it is asked again. */
  function askedAt(change: Partial<Glance>): number[] {
    const asked: number[] = [];
    let state: Standstill | null = null;
    for (let second = 0; second <= GIVE_UP_MS / 1000; second += 1) {
      state = watched(state, { ...still, ...change, atMs: second * 1000 });
      if (hangs(state, 1000 * (asked.at(-1) ?? 0))) asked.push(second);
    }
    return asked;
  }

  it('is asked again once, after the longest outage of the lab', () => {
    expect(askedAt(live)).toEqual([65]);
  });

  it('is neither one that is asked for nothing, nor one that plays, nor a stream on demand', () => {
    expect(askedAt({ ...live, requestsInFlight: 0 })).toEqual([]);
    expect(askedAt({ ...live, isLive: false })).toEqual([]);
    const media = still.media.map((each) => ({ ...each, aheadMs: 9000 }));
    expect(askedAt({ ...live, media })).toEqual([]);
  });

  it('is given up no later because the seek has emptied the buffer', () => {
    const emptied = (second: number): Partial<Glance> => (second < 66 ? live : { ...live, buffered: '' });
    expect(saidAfter(GIVE_UP_MS / 1000 - 1, emptied)).toBeNull();
    expect(saidAfter(GIVE_UP_MS / 1000, emptied)).toMatch(/no segment came for 120 s/);
  });
});

describe('the page where a live stream gets no segment', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { hidden: false });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const request = { type: 'MediaSegment', mediaType: 'video', url: '7.m4s', startTime: 50, duration: 2 };

  /** A player that stands at 50 s; `event` sends one of dash.js' events, `seeks` has what the page asked for. */
  function standAt50({ windowStartS = 10, inFlight = 'media' } = {}) {
    const listeners: [string, (payload: object) => void][] = [];
    const seeks: (number | 'edge')[] = [];
    const processor = {
      getType: () => 'video',
      isBufferingCompleted: () => false,
      getFragmentModel: () => ({ getRequests: () => [request] }),
      getScheduleController: () => ({ getPlaybackController: () => ({ getStreamController }) }),
    };
    const getStreamController = () => ({ getStreams: () => [] });
    const player = {
      on: (name: string, listener: () => void) => void listeners.push([name, listener]),
      off: () => undefined,
      extend: () => undefined,
      addResponseInterceptor: () => undefined,
      isReady: () => true,
      isDynamic: () => true,
      isPaused: () => false,
      getActiveStream: () => ({ getStreamProcessors: () => [processor] }),
      getDashMetrics: () => ({ getCurrentBufferLevel: () => 0 }),
      getDvrWindow: () => ({ start: windowStartS }),
      seekToOriginalLive: () => void seeks.push('edge'),
      getVideoElement: () => video,
    };
    const video = Object.assign(new EventTarget(), { buffered: [], playbackRate: 1 });
    const currentTime = { get: () => 50, set: (atS: number) => void seeks.push(atS) };
    Object.defineProperty(video, 'currentTime', currentTime);
    const telemetry = {
      openEvents: () => [{ kind: 'request', type: inFlight }],
      nowMs: () => 0,
      expectSeek: vi.fn(),
      record: vi.fn(),
    };
    const watch = watchFailures(player as never, video as never, telemetry as never);
    const event = (name: string, payload: object): void =>
      listeners.forEach(([each, listener]) => each === name && listener(payload));
    event('fragmentLoadingCompleted', { request });
    return { seeks, event, expectSeek: telemetry.expectSeek, dispose: watch.dispose };
  }
  const ASKED_AFTER_MS = 67_000;

  it('asks at the same place again, and at the edge once the window lacks that place', () => {
    for (const [windowStartS, place] of [
      [10, 50],
      [60, 'edge'],
    ] as const) {
      const { seeks, expectSeek, dispose } = standAt50({ windowStartS });
      vi.advanceTimersByTime(ASKED_AFTER_MS);
      expect(seeks).toEqual([place]);
      vi.advanceTimersByTime(GIVE_UP_MS - ASKED_AFTER_MS - 2000);
      expect(seeks).toEqual([place]);
      expect(expectSeek).toHaveBeenCalledExactlyOnceWith('recovery');
      dispose();
    }
  });

  it('asks again, too, where a request failed before those without an answer', () => {
    const { seeks, event, dispose } = standAt50();
    event('error', { error: { code: 27, message: '', data: { request, response: { status: 404 } } } });
    vi.advanceTimersByTime(ASKED_AFTER_MS);
    expect(seeks).toEqual([50]);
    dispose();
  });

  it('lets a segment come that takes long', () => {
    const { seeks, event, dispose } = standAt50();
    for (let second = 0; second < 100; second += 1) {
      vi.advanceTimersByTime(1000);
      event('loadingProgress', { request });
    }
    expect(seeks).toEqual([]);
    dispose();
  });

  it('does not take a manifest that is on its way for a segment', () => {
    const { seeks, dispose } = standAt50({ inFlight: 'manifest' });
    vi.advanceTimersByTime(100_000);
    expect(seeks).toEqual([]);
    dispose();
  });
});

describe('a stream that ends early', () => {
  it('says where it ended and what was promised, and blames nobody', () => {
    expect(formatShortEnd(4000, 24_000)).toBe(
      'The stream ended at 4.0 s, but its manifest promises 24.0 s: the rest was not loaded or is not playable.',
    );
  });

  it('says that the manifest lists no more, where all that it lists was played', () => {
    expect(formatShortEnd(19_980, 40_000, 20_000)).toBe(
      'The stream ended at 20.0 s, but its manifest promises 40.0 s: it lists no segment after that.',
    );
    expect(formatShortEnd(12_000, 40_000, 20_000)).toMatch(/not loaded or is not playable/);
  });

  it.each([
    [23_900, 24_000],
    [20_000, 24_000],
    [3_590_000, 3_600_000],
    [25_000, 24_000],
    [4000, NaN],
    [4000, Infinity],
  ])('is an honest end at %s of %s', (endedAtMs, promisedMs) => {
    expect(formatShortEnd(endedAtMs, promisedMs)).toBeNull();
  });
});
