import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../schema/sessionLog.ts';
import { readSession } from '../schema/readSession.ts';
import { recordElement } from './recordElement.ts';
import { PATIENCE_MS } from './startSession.ts';
import { createMemoryStore } from './store/memoryStore.ts';
import type { ElementOptions } from './telemetry.ts';

/** The page's window and document, and the Resource Timing entries that the browser reports. */
let page = new EventTarget();
let report: (entries: object[]) => void;
beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  const shown = { baseURI: 'https://app.example/', visibilityState: 'visible' };
  vi.stubGlobal('document', Object.assign(new EventTarget(), shown));
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  report = () => undefined;
  vi.stubGlobal('PerformanceObserver', function (deliver: (list: object) => void) {
    report = (entries) => deliver({ getEntries: () => entries });
    return {
      observe: () => undefined,
      disconnect: () => void (report = () => undefined),
      takeRecords: () => [],
    };
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Frame = Pick<
  VideoFrameCallbackMetadata,
  'presentationTime' | 'mediaTime' | 'presentedFrames' | 'height'
>;

/** A video element that is played by hand. */
function fakeVideo(facts: object = {}) {
  let callback: ((nowMs: number, frame: Frame) => void) | null = null;
  let count = 0;
  const video = Object.assign(new EventTarget(), {
    paused: true,
    ended: false,
    seeking: false,
    autoplay: false,
    readyState: 0,
    error: null as { code: number; message: string } | null,
    currentTime: 0,
    playbackRate: 1,
    duration: 600,
    videoWidth: 0,
    videoHeight: 0,
    buffered: { length: 1, start: () => 0, end: (): number => 20 },
    getVideoPlaybackQuality: () => ({ totalVideoFrames: count, droppedVideoFrames: 1 }),
    requestVideoFrameCallback(next: typeof callback) {
      callback = next;
      return 1;
    },
    cancelVideoFrameCallback: () => void (callback = null),
    ...facts,
  });
  const say = (type: string, change: Partial<typeof video> = {}): void =>
    void Object.assign(video, change).dispatchEvent(new Event(type));
  return {
    video: video as unknown as HTMLVideoElement,
    say,
    play: () => {
      say('play', { paused: false, videoWidth: 640, videoHeight: 360 });
      say('playing', { readyState: 4 });
    },
    present(): void {
      count += 1;
      const frame = {
        presentationTime: performance.now(),
        mediaTime: video.currentTime,
        presentedFrames: count,
      };
      const next = callback;
      callback = null;
      next?.(performance.now(), { ...frame, height: video.videoHeight });
    },
    /** Plays for some time, with its frames and its words. */
    run(ms: number): void {
      for (let at = 0; at < ms; at += 100) {
        vi.advanceTimersByTime(100);
        video.currentTime += 0.1;
        this.present();
        say('timeupdate');
      }
    },
  };
}

const entryOf = (url: string, facts: object = {}) => ({
  name: url,
  initiatorType: 'fetch',
  startTime: performance.now(),
  redirectStart: 0,
  redirectEnd: 0,
  fetchStart: performance.now(),
  domainLookupStart: 0,
  domainLookupEnd: 0,
  connectStart: 0,
  secureConnectionStart: 0,
  connectEnd: 0,
  requestStart: performance.now() + 1,
  responseStart: performance.now() + 2,
  responseEnd: performance.now() + 3,
  nextHopProtocol: 'h3',
  transferSize: 1300,
  encodedBodySize: 1000,
  decodedBodySize: 1000,
  responseStatus: 200,
  serverTiming: [],
  ...facts,
});

/** Records an element; `log` has the log when it has stopped, which is one that every reader takes. */
async function record(facts: object = {}, options: ElementOptions = {}) {
  const element = fakeVideo(facts);
  const telemetry = await recordElement(element.video, options);
  return {
    ...element,
    telemetry,
    async log() {
      await telemetry.stop();
      const log = await telemetry.exportLog();
      expect(readSession(JSON.stringify(log))).toMatchObject({ ok: true });
      return log;
    },
    async events<Kind extends SessionEvent['kind']>(kind: Kind) {
      const { events } = await this.log();
      return events.filter((event): event is Extract<SessionEvent, { kind: Kind }> => event.kind === kind);
    },
  };
}

describe('playback', () => {
  test('has its states, the first frame, the buffer, the size of the picture and the frames', async () => {
    const session = await record();
    session.say('progress');
    session.play();
    session.say('resize');
    session.run(1500);
    session.say('ratechange', { playbackRate: 2 });
    session.say('resize', { videoWidth: 1920, videoHeight: 1080 });
    session.say('pause', { paused: true });
    const { events } = await session.log();
    const states = events.flatMap((event) => (event.kind === 'playback' ? [event.state] : []));
    expect(states).toEqual([
      'play-requested',
      'playing',
      'first-frame',
      'sample',
      'rate',
      'paused',
      'stopped',
    ]);
    const playback = events.find(({ kind }) => kind === 'playback');
    expect(playback).toMatchObject({ liveLatencyMs: null, missing: { liveLatencyMs: 'not-supported' } });
    const sizes = events.flatMap((event) => (event.kind === 'resize' ? [event.widthPx, event.heightPx] : []));
    expect(sizes).toEqual([640, 360, 1920, 1080]);
    const levels = events.filter((event) => event.kind === 'buffer');
    expect(levels[0]).toMatchObject({
      mediaType: null,
      levelMs: 20_000,
      missing: { mediaType: 'not-supported' },
    });
    expect(levels.at(-1)?.levelMs).toBeLessThan(19_000);
    expect(events.filter((event) => event.kind === 'frames').at(-1)).toMatchObject({
      decoded: 15,
      dropped: 1,
    });
  });

  test('is asked for when the source loads, with autoplay', async () => {
    const session = await record({ autoplay: true });
    session.say('loadstart');
    session.say('loadstart');
    const states = (await session.events('playback')).map(({ state }) => state);
    expect(states).toEqual(['play-requested', 'stopped']);
  });

  test('that began before the recording has no first frame, and its stalls are found', async () => {
    const session = await record({ paused: false, readyState: 4, videoWidth: 640, videoHeight: 360 });
    session.run(400);
    session.say('waiting', { readyState: 2 });
    vi.advanceTimersByTime(700);
    session.say('playing', { readyState: 4 });
    session.run(300);
    const { events } = await session.log();
    const states = events.flatMap((event) => (event.kind === 'playback' ? [event.state] : []));
    expect(states[0]).toBe('playing');
    expect(states).not.toContain('first-frame');
    expect(events.filter(({ kind }) => kind === 'resize')).toHaveLength(1);
    const [stall, ...others] = events.filter((event) => event.kind === 'stall');
    expect(others).toEqual([]);
    expect(stall!.durationMs).toBeGreaterThan(600);
  });

  test('of another source in the same element has a first frame of its own, and no stall', async () => {
    const session = await record();
    session.play();
    session.run(500);
    session.say('emptied', { readyState: 0, currentTime: 0 });
    session.say('loadstart');
    session.say('waiting');
    vi.advanceTimersByTime(2000);
    session.say('playing', { readyState: 4 });
    session.run(300);
    const { events } = await session.log();
    const states = events.flatMap((event) => (event.kind === 'playback' ? [event.state] : []));
    expect(states.filter((state) => state === 'first-frame')).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === 'stall')).toEqual([]);
  });

  test('goes by the buffer where the browser reports no frames, and an audio element has no picture', async () => {
    const element = fakeVideo();
    const audio = element.video as unknown as Record<string, unknown>;
    for (const name of ['requestVideoFrameCallback', 'getVideoPlaybackQuality', 'videoWidth', 'videoHeight'])
      delete audio[name];
    const telemetry = await recordElement(element.video);
    element.say('play', { paused: false });
    element.say('playing', { readyState: 4 });
    element.say('waiting', { readyState: 2, buffered: { length: 1, start: () => 0, end: () => 0 } });
    vi.advanceTimersByTime(800);
    element.say('playing', { readyState: 4, buffered: { length: 1, start: () => 0, end: () => 20 } });
    element.run(600);
    await telemetry.stop();
    const { environment, events } = await telemetry.exportLog();
    expect(environment.screen).toBe('ranges');
    expect(events.filter(({ kind }) => kind === 'stall')).toHaveLength(1);
    expect(events.some(({ kind }) => kind === 'resize' || kind === 'frames')).toBe(false);
  });

  test('has the errors of the element, and when the tab was hidden', async () => {
    const session = await record();
    session.say('error', { error: { code: 3, message: 'at https://cdn.example/a?token=x' } });
    session.say('error', { error: { code: 4, message: '' } });
    Object.assign(document, { visibilityState: 'hidden' }).dispatchEvent(new Event('visibilitychange'));
    const { events } = await session.log();
    expect(events.filter(({ kind }) => kind === 'error')).toMatchObject([
      { source: 'media', code: 'media-3', fatal: false, message: 'at https://cdn.example/a?token=*' },
      { source: 'media', code: 'media-4', fatal: true },
    ]);
    expect(events.filter(({ kind }) => kind === 'visibility')).toMatchObject([{ hidden: true }]);
  });
});

describe('a seek', () => {
  const seekTo = (session: Awaited<ReturnType<typeof record>>, seconds: number): void => {
    session.say('seeking', { seeking: true, currentTime: seconds });
    vi.advanceTimersByTime(100);
    session.say('seeked', { seeking: false });
    session.say('playing');
    session.run(300);
  };
  const kinds = async (session: Awaited<ReturnType<typeof record>>): Promise<string[]> =>
    (await session.log()).events.flatMap(({ kind }) => (kind === 'seek' || kind === 'jump' ? [kind] : []));
  const started = async () => {
    const session = await record();
    session.play();
    session.run(1000);
    return session;
  };

  test('is the viewer’s after a touch of the page, each of several', async () => {
    const session = await started();
    page.dispatchEvent(new Event('pointerdown'));
    seekTo(session, 10);
    seekTo(session, 5);
    expect(await kinds(session)).toEqual(['seek', 'seek']);
  });

  test('is the player’s without one, and after one that is too long ago', async () => {
    const session = await started();
    seekTo(session, 10);
    page.dispatchEvent(new Event('keydown'));
    session.run(6000);
    seekTo(session, 5);
    expect(await kinds(session)).toEqual(['jump', 'jump']);
  });

  test('is the viewer’s where the page says so', async () => {
    const session = await started();
    session.telemetry.expectSeek('viewer');
    seekTo(session, 10);
    expect(await kinds(session)).toEqual(['seek']);
  });

  test('is the player’s where it goes nowhere, also after a touch', async () => {
    const session = await started();
    page.dispatchEvent(new Event('pointerdown'));
    seekTo(session, session.video.currentTime + 0.01);
    expect(await kinds(session)).toEqual(['jump']);
  });
});

describe('requests', () => {
  test('are those of scripts and media elements for manifests and media', async () => {
    const session = await record();
    report([
      entryOf('https://cdn.example/live/master.m3u8?token=x'),
      entryOf('https://cdn.example/v/1.m4s', { initiatorType: 'xmlhttprequest' }),
      entryOf('https://cdn.example/film.mp4', { initiatorType: 'video' }),
      entryOf('https://app.example/api/comments'),
      entryOf('https://app.example/poster.jpg', { initiatorType: 'video' }),
      entryOf('https://app.example/sound.mp3', { initiatorType: 'link' }),
    ]);
    const { environment, events } = await session.log();
    expect(environment.mpdUrl).toBe('https://cdn.example/live/master.m3u8?token=*');
    expect(events.filter(({ kind }) => kind === 'request')).toMatchObject([
      { type: 'manifest', url: 'https://cdn.example/live/master.m3u8?token=*', protocol: 'h3' },
      { type: 'media', url: 'https://cdn.example/v/1.m4s' },
      { type: 'media', url: 'https://cdn.example/film.mp4' },
    ]);
  });

  test('that began before the recording are not recorded', async () => {
    const before = entryOf('https://cdn.example/v/1.m4s');
    vi.advanceTimersByTime(10);
    const session = await record();
    report([before, entryOf('https://cdn.example/v/2.m4s')]);
    expect((await session.events('request')).map(({ url }) => url)).toEqual(['https://cdn.example/v/2.m4s']);
  });

  test('are those that the page names, where it does; what it throws costs one request', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const typeOf = (url: string) => {
      if (url.endsWith('bad')) throw new Error('not mine');
      return url.endsWith('/seg') ? ('init' as const) : null;
    };
    const session = await record({}, { typeOf });
    report(['/bad', '/v/1.m4s', '/seg'].map((path) => entryOf(`https://cdn.example${path}`)));
    expect(await session.events('request')).toMatchObject([{ type: 'init', url: 'https://cdn.example/seg' }]);
    warn.mockRestore();
  });

  test('are in no log where the browser reports none, and the log says so', async () => {
    vi.stubGlobal('PerformanceObserver', undefined);
    const session = await record();
    session.play();
    const { events } = await session.log();
    expect(events.filter(({ kind }) => kind === 'error')).toMatchObject([
      { source: 'telemetry', code: 'no-requests' },
    ]);
    expect(events.some(({ kind }) => kind === 'playback')).toBe(true);
  });
});

describe('the page', () => {
  test('keeps its functions, and has no listener of the recorder after stop', async () => {
    const { fetch } = globalThis;
    const session = await record();
    expect(globalThis.fetch).toBe(fetch);
    const add = vi.spyOn(session.video, 'addEventListener');
    await session.telemetry.stop();
    session.play();
    session.run(2000);
    expect(add).not.toHaveBeenCalled();
    const { events } = await session.telemetry.exportLog();
    expect(events.at(-1)).toMatchObject({ kind: 'playback', state: 'stopped' });
    // What waited for storage gives up.
    vi.advanceTimersByTime(PATIENCE_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('may replace the element: the first recording stays with the first, the second has the second', async () => {
    const [first, second] = [await record(), await record()];
    first.play();
    first.run(300);
    first.say('emptied', { readyState: 0, paused: true });
    second.play();
    second.run(300);
    const playings = async (session: typeof first) =>
      (await session.events('playback')).filter(({ state }) => state === 'playing');
    expect([await playings(first), await playings(second)]).toMatchObject([[{}], [{}]]);
    expect(first.telemetry.sessionId).not.toBe(second.telemetry.sessionId);
  });

  test('gets no error of an element that throws', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const session = await record();
    session.play();
    Object.defineProperty(session.video, 'buffered', {
      get() {
        throw new DOMException('gone', 'InvalidStateError');
      },
    });
    expect(() => session.run(3000)).not.toThrow();
    await session.telemetry.stop();
    warn.mockRestore();
  });

  test('gets no error of storage that throws, and the log is whole', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const store = {
      ...createMemoryStore(),
      begin: () => Promise.reject(new Error('refused')),
      flush: () => Promise.reject(new Error('no space')),
    };
    const session = await record({}, { store });
    session.play();
    const { events } = await session.log();
    expect(events.some((event) => event.kind === 'error' && event.code === 'storage')).toBe(true);
    expect(events.some((event) => event.kind === 'playback' && event.state === 'playing')).toBe(true);
    warn.mockRestore();
  });

  test('names its player, and what nobody knows has a reason', async () => {
    const session = await record({}, { environment: { player: 'hls.js 1.7.4' } });
    const { environment } = await session.log();
    expect(environment).toMatchObject({
      player: 'hls.js 1.7.4',
      screen: 'frames',
      browser: 'Chrome/156',
      dashjsVersion: null,
      missing: { dashjsVersion: 'not-reported', mpdUrl: 'not-reported' },
    });
  });
});
