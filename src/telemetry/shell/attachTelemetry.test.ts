import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import { attachTelemetry } from './attachTelemetry.ts';
import { PATIENCE_MS } from './startSession.ts';
import { createMemoryStore } from './store/memoryStore.ts';
import type { SessionStore } from './store/sessionStore.ts';

/** A browser of 2022 as far as the recorder uses it. */
beforeEach(() => {
  const page = { baseURI: 'https://app.example/', visibilityState: 'visible' };
  vi.stubGlobal('document', Object.assign(new EventTarget(), page));
  vi.stubGlobal('location', { origin: 'https://app.example' });
  vi.stubGlobal('navigator', { userAgent: 'Chrome/98' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('PerformanceObserver', function () {
    return { observe: () => undefined, disconnect: () => undefined, takeRecords: () => [] };
  });
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { parse: undefined, canParse: undefined }));
});
afterEach(() => void vi.unstubAllGlobals());

/** A player that only tells of events, and who listens to them. */
function fakePlayer() {
  const listeners = new Set<{ name: string; listener: (payload: object) => void }>();
  const player = {
    getVersion: () => '5.2.1',
    getSettings: () => ({}),
    getAutoPlay: () => false,
    isReady: () => false,
    extend: () => undefined,
    on: (name: string, listener: (payload: object) => void) => void listeners.add({ name, listener }),
    off(name: string, listener: (payload: object) => void) {
      for (const each of listeners)
        if (each.name === name && each.listener === listener) listeners.delete(each);
    },
    addRequestInterceptor: () => undefined,
    removeRequestInterceptor: () => undefined,
    addResponseInterceptor: () => undefined,
    removeResponseInterceptor: () => undefined,
  };
  return {
    player: player as unknown as MediaPlayerClass,
    listeners,
    tell(type: string, payload: object) {
      for (const { name, listener } of listeners) if (name === type) listener(payload);
    },
  };
}

/** An audio element, or with `video` what only a video element has. */
const element = (video: object = {}) =>
  Object.assign(new EventTarget(), {
    paused: true,
    ended: false,
    seeking: false,
    error: null,
    currentTime: 0,
    playbackRate: 1,
    duration: NaN,
    buffered: { length: 0 },
    ...video,
  }) as unknown as HTMLMediaElement;

const level = (atMs: number) =>
  ({ kind: 'buffer', atMs, mediaType: 'video', levelMs: atMs, missing: {} }) as const;

test('a manifest with a clock server is recorded without URL.parse', async () => {
  const warn = vi.spyOn(console, 'warn');
  const { player, tell } = fakePlayer();
  const telemetry = await attachTelemetry(player, element());
  const UTCTiming = [{ schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: 'time' }];
  const [baseUri, url] = ['https://cdn.example/', 'https://cdn.example/a.mpd'];
  tell('manifestLoaded', { data: { url, type: 'static', UTCTiming, baseUri, Period: [{}] } });
  const { events } = await telemetry.exportLog();
  expect(events.map(({ kind }) => kind)).toEqual(['manifest']);
  expect(warn).not.toHaveBeenCalled();
  await telemetry.stop();
});

test('what storage refuses in the middle of a session is in the exported log, with the reason', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const memory = createMemoryStore();
  let isFull = false;
  const store: SessionStore = {
    ...memory,
    flush: (update) => (isFull ? Promise.reject(new Error('no space')) : memory.flush(update)),
  };
  const telemetry = await attachTelemetry(fakePlayer().player, element(), { store });
  const ids = async () => (await telemetry.exportLog()).events.map(({ id }) => id);
  telemetry.record(level(1));
  expect(await ids()).toEqual(['b1']);
  isFull = true;
  telemetry.record(level(2));
  expect(await ids()).toEqual(['b1', 'b2', 'e1']);
  telemetry.record(level(3));
  const { events, parts } = await telemetry.exportLog();
  expect(events.map(({ id }) => id)).toEqual(['b1', 'b2', 'e1', 'b3']);
  expect(events[2]).toMatchObject({ code: 'storage', message: expect.stringMatching(/no space/) });
  expect(parts).toHaveLength(1);
  await telemetry.stop();
  expect((await ids()).slice(0, 4)).toEqual(['b1', 'b2', 'e1', 'b3']);
  isFull = false;
  expect((await ids()).filter((id) => id === 'b2')).toEqual(['b2']);
  expect(await memory.header(telemetry.sessionId)).toMatchObject({ parts: [{ endMs: expect.any(Number) }] });
  warn.mockRestore();
});

test('what is kept open is in the log in its newest state, and once when it is recorded', async () => {
  const telemetry = await attachTelemetry(fakePlayer().player, element());
  const times = async () => (await telemetry.exportLog()).events.map(({ id, atMs }) => [id, atMs]);
  telemetry.keepOpen(level(1), 'x');
  telemetry.keepOpen(level(2), 'x');
  telemetry.record(level(5));
  expect(await times()).toEqual([
    ['b1', 5],
    ['x', 2],
  ]);
  telemetry.record(level(3), 'x');
  expect((await times()).sort()).toEqual([
    ['b1', 5],
    ['x', 3],
  ]);
  telemetry.keepOpen(level(9), 'y');
  await telemetry.stop();
  expect(await times()).toContainEqual(['y', 9]);
});

const never = (): Promise<never> => new Promise(() => {});

describe('storage that gives no answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const memory = createMemoryStore();
  test.each<[string, Partial<SessionStore>, readonly string[]]>([
    ['from the beginning', { begin: never }, ['b1', 'b2', 'e1']],
    ['to a write', { flush: never }, ['b1', 'b2', 'e1']],
    ['to anything', { begin: never, flush: never, snapshot: never, end: never }, ['b1', 'b2', 'e1']],
  ])('%s: the log is had from memory, with the reason, and the recording ends', async (_, hanging, ids) => {
    const telemetry = await attachTelemetry(fakePlayer().player, element(), {
      store: { ...memory, ...hanging },
    });
    telemetry.record(level(1));
    telemetry.record(level(2));
    const exporting = telemetry.exportLog();
    await vi.advanceTimersByTimeAsync(2 * PATIENCE_MS);
    const { events } = await exporting;
    expect(events.map(({ id }) => id)).toEqual(ids);
    expect(events.at(-1)).toMatchObject({ code: 'storage', message: expect.stringMatching(/no answer/) });
    const stopping = telemetry.stop();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await stopping;
  });

  test('what it has already is read where it can be', async () => {
    const store = createMemoryStore();
    let hangs = false;
    const telemetry = await attachTelemetry(fakePlayer().player, element(), {
      store: { ...store, flush: (update) => (hangs ? never() : store.flush(update)) },
    });
    telemetry.record(level(1));
    await telemetry.exportLog();
    hangs = true;
    telemetry.record(level(2));
    const exporting = telemetry.exportLog();
    await vi.advanceTimersByTimeAsync(2 * PATIENCE_MS);
    expect((await exporting).events.map(({ id }) => id)).toEqual(['b1', 'b2', 'e1']);
  });
});

test('a listener that throws, and a page whose reportError throws, reach neither player nor recording', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('queueMicrotask', (task: () => void) => {
    try {
      task();
    } catch (fault) {
      reported.push(fault);
    }
  });
  vi.stubGlobal('reportError', () => {
    throw new Error('the page cannot report');
  });
  const telemetry = await attachTelemetry(fakePlayer().player, element());
  const fault = new Error('the listener cannot');
  telemetry.subscribe(() => {
    throw fault;
  });
  expect(() => telemetry.record(level(1))).not.toThrow();
  expect(reported).toEqual([fault]);
  expect((await telemetry.exportLog()).events.map(({ id }) => id)).toEqual(['b1']);
  await telemetry.stop();
});

const failing = {
  getVideoPlaybackQuality() {
    throw new Error('The element is gone.');
  },
};

test.each([
  ['an audio element, which shows no frames', element()],
  ['an element that fails', element(failing)],
])('a recording of %s ends as a whole', async (_, media) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { player, listeners } = fakePlayer();
  const store = createMemoryStore();
  const telemetry = await attachTelemetry(player, media, { store });
  expect(listeners.size).toBeGreaterThan(5);
  await telemetry.stop();
  expect(listeners.size).toBe(0);
  expect(await store.list()).toMatchObject([{ finished: true, live: false }]);
  warn.mockRestore();
});
