import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLiveClock } from './liveClock.ts';
import type { Surroundings } from './surroundings.ts';

const NOW_MS = Date.parse('2026-05-01T12:00:00.600Z');
const CLOCK_URL = 'https://cdn.example/live/time';
/** The Date header of an answer that was written now. */
const DATE = 'Fri, 01 May 2026 12:00:00 GMT';

let entries: { name: string; startTime: number; responseEnd: number; responseStatus: number }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  entries = [];
  vi.stubGlobal('document', { baseURI: 'https://app.example/' });
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(
    () => entries as unknown as PerformanceEntryList,
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const named = (...schemes: string[]): object[] =>
  schemes.map((scheme) => ({ schemeIdUri: `urn:mpeg:dash:utc:${scheme}:2014`, value: 'time' }));

/** A live stream in a player, whose requests take the time that a test says. All ends at `NOW_MS`. */
function playerWith({ type = 'dynamic', UTCTiming = named('http-iso'), date = null as string | null }) {
  const listeners = new Map<string, ((event: object) => void)[]>();
  const tell = (name: string, event: object = {}): void =>
    listeners.get(name)?.forEach((listener) => listener(event));
  const player = {
    on: (name: string, listener: (event: object) => void) =>
      void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    off: (name: string) => void listeners.delete(name),
    getSettings: () => ({ streaming: {} }),
    getDashMetrics: () => ({
      getLatestMPDRequestHeaderValueByID: (name: string) => (name === 'Date' ? date : null),
    }),
  };
  const clock = createLiveClock({ player } as unknown as Pick<Surroundings, 'player'>);
  return {
    clock,
    listeners,
    loadNextSource: (): void => tell('streamTeardownComplete'),
    loadManifest(tookMs: number): void {
      tell('manifestLoadingStarted');
      vi.advanceTimersByTime(tookMs);
      tell('manifestLoaded', { data: { type, UTCTiming, baseUri: 'https://cdn.example/live/' } });
    },
    askClock(tookMs: number, { status = 200, url = CLOCK_URL } = {}): void {
      const startTime = performance.now();
      vi.advanceTimersByTime(tookMs);
      entries.push({ name: url, startTime, responseEnd: performance.now(), responseStatus: status });
    },
    /** As dash.js does: of what the server's clock said, with half of the round trip. */
    takeTime: (serverUnixMs: number, tookMs: number): void =>
      tell('updateTimeSyncOffset', { offset: serverUnixMs - (Date.now() - tookMs / 2) }),
    takeOffset: (offset: number): void => tell('updateTimeSyncOffset', { offset }),
  };
}

describe('a server that is asked', () => {
  test('is off by at most half of the round trip, however long that is', () => {
    for (const tookMs of [80, 4800]) {
      const { loadManifest, askClock, takeTime, clock } = playerWith({});
      loadManifest(8000);
      askClock(tookMs);
      // It was asked at once, and its answer waited: dash.js is late by half of it.
      takeTime(Date.now() - tookMs + 3, tookMs);
      expect(clock.fields()).toEqual({ liveLatencyErrorMs: tookMs / 2 });
    }
  });

  test.each(['http-iso', 'http-xsdate', 'http-head'])(
    '%s: without a fraction it cuts off up to 1 s',
    (scheme) => {
      const { loadManifest, askClock, takeTime, clock } = playerWith({ UTCTiming: named(scheme) });
      loadManifest(200);
      vi.advanceTimersByTime(230);
      askClock(80);
      const serverUnixMs = Math.floor((Date.now() - 40) / 1000) * 1000;
      expect(Date.now() - 40 - serverUnixMs).toBeGreaterThan(50);
      takeTime(serverUnixMs, 80);
      expect(clock.fields()).toEqual({ liveLatencyErrorMs: 1040 });
    },
  );

  test('keeps what it showed of its fraction when dash.js takes the mean of two more answers', () => {
    for (const [fractionMs, step] of [
      [0, 1000],
      [273, 0],
    ] as const) {
      const { loadManifest, askClock, takeTime, takeOffset, clock } = playerWith({});
      loadManifest(200);
      askClock(80);
      takeTime(NOW_MS - 600 + fractionMs, 80);
      askClock(300);
      askClock(2100);
      takeOffset(-777);
      expect(clock.fields()).toEqual({ liveLatencyErrorMs: step + 1050 });
    }
  });

  test('that fails does not count, nor does another request', () => {
    const { loadManifest, askClock, takeTime, clock } = playerWith({});
    loadManifest(200);
    askClock(2000, { status: 503 });
    askClock(3000, { url: 'https://cdn.example/live/1.m4s' });
    askClock(60, { url: `${CLOCK_URL}?x=1` });
    takeTime(Date.now() - 33, 60);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 30 });
  });

  test('without its request in the browser’s list: the time since the manifest came is the bound', () => {
    const { loadManifest, takeTime, clock } = playerWith({});
    loadManifest(200);
    vi.advanceTimersByTime(500);
    takeTime(Date.now() - 33, 60);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 1250 });
  });

  test('that does not answer later leaves what was known, and the next source begins anew', () => {
    const { loadManifest, askClock, takeTime, takeOffset, loadNextSource, clock } = playerWith({});
    loadManifest(200);
    askClock(80);
    takeTime(Date.now() - 33, 80);
    takeOffset(NaN);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 40 });
    loadNextSource();
    loadManifest(200);
    expect(clock.fields()).toEqual({});
    takeOffset(NaN);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: { absent: 'not-exposed' } });
  });
});

describe('a time that came with the manifest', () => {
  test('as Date header is off by its second and by the time since the manifest was asked for', () => {
    const { loadManifest, takeTime, clock, listeners } = playerWith({ UTCTiming: [], date: DATE });
    loadManifest(200);
    takeTime(Date.parse(DATE), 0);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 1200 });
    clock.dispose();
    expect(listeners.size).toBe(0);
  });

  test('counts also where a named clock answered nonsense before', () => {
    const { loadManifest, askClock, takeTime, clock } = playerWith({ date: DATE });
    loadManifest(200);
    askClock(80);
    takeTime(Date.parse(DATE), 0);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 1280 });
  });

  test('is no better where it stands in the manifest itself', () => {
    const value = new Date(NOW_MS);
    const UTCTiming = [...named('ntp'), { schemeIdUri: 'urn:mpeg:dash:utc:direct:2014', value }];
    const { loadManifest, takeTime, clock } = playerWith({ UTCTiming });
    loadManifest(9000);
    takeTime(Date.parse(value.toString()), 0);
    expect(clock.fields()).toEqual({ liveLatencyErrorMs: 10_000 });
  });
});

test('without a clock nothing is known, and the log says why', () => {
  const { loadManifest, takeOffset, clock } = playerWith({ UTCTiming: [] });
  loadManifest(200);
  takeOffset(NaN);
  expect(clock.fields()).toEqual({ liveLatencyErrorMs: { absent: 'not-exposed' } });
});

test('what is not live has no live edge', () => {
  const { loadManifest, takeOffset, clock } = playerWith({ type: 'static', date: DATE });
  loadManifest(200);
  takeOffset(NaN);
  expect(clock.fields()).toEqual({});
});
