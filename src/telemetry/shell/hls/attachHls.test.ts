import type Hls from 'hls.js';
import { expect, test, vi } from 'vitest';
import { eventsIn, fakePage, fakeVideo, ruleInCharge, validLog } from '../playerFakes.testing.ts';
import { attachHls } from './attachHls.ts';

fakePage();

const CDN = 'https://cdn.example/stream';
const details = {
  live: false,
  startSN: 1,
  endSN: 12,
  startCC: 0,
  endCC: 0,
  totalduration: 24,
  targetduration: 2,
  fragments: [{ duration: 2 }],
};
const level = (n: number, height: number) => ({
  url: [`${CDN}/video-${n}.m3u8`],
  bitrate: n * 400_000,
  width: height * 2,
  height,
  attrs: { 'AVERAGE-BANDWIDTH': String(n * 300_000), CODECS: 'vp09.00.11.08,opus' },
  details,
});

/** hls.js as its events and its settings show it. */
function fakeHls() {
  const listeners = new Map<string, ((event: string, data: object) => void)[]>();
  const hls = {
    constructor: { version: '1.7.4' },
    config: { maxBufferLength: 30 } as Hls['config'],
    levels: [level(1, 180), level(2, 360)],
    audioTracks: [{ url: `${CDN}/audio-1.m3u8`, details }],
    subtitleTracks: [],
    url: `${CDN}/manifest.m3u8`,
    latency: 0,
    latestLevelDetails: null as typeof details | null,
    bandwidthEstimate: 5e5,
    ttfbEstimate: 40,
    autoLevelEnabled: true,
    autoLevelCapping: -1,
    on: (name: string, act: (event: string, data: object) => void) =>
      void listeners.set(name, [...(listeners.get(name) ?? []), act]),
    off: (name: string, act: unknown) =>
      void listeners.set(
        name,
        (listeners.get(name) ?? []).filter((each) => each !== act),
      ),
  };
  const say = (name: string, data: object = {}): void => {
    for (const act of listeners.get(name) ?? []) act(name, data);
  };
  const count = (): number => [...listeners.values()].flat().length;
  return { hls, say, count, asHls: hls as unknown as Hls };
}

/** An XMLHttpRequest that ends as it is said to. */
function fakeXhr(status: number, responseURL = '') {
  const xhr = Object.assign(new EventTarget(), {
    status,
    responseURL,
    readyState: 0,
    getAllResponseHeaders: () => 'content-type: video/mp4\r\ncmsd-static: ot=v\r\n',
  });
  const fire = (name: string, loaded = 0): void =>
    void xhr.dispatchEvent(Object.assign(new Event(name), { loaded }));
  return {
    xhr: xhr as unknown as XMLHttpRequest,
    send: () => fire('loadstart'),
    end(name: 'load' | 'abort' | 'error', loaded: number) {
      if (name !== 'load') fire('progress', loaded);
      xhr.readyState = 4;
      fire('readystatechange');
      fire(name, name === 'load' ? loaded : 0);
      fire('loadend', name === 'load' ? loaded : 0);
    },
  };
}

const frag = (sn: number | 'initSegment', type = 'main', index = 1) => ({
  sn,
  type,
  level: index,
  start: (Number(sn) - 1) * 2,
  end: Number(sn) * 2,
  duration: 2,
});

async function attached() {
  const fake = fakeHls();
  const video = fakeVideo();
  const telemetry = await attachHls(fake.asHls, video);
  const request = (context: object, xhr: XMLHttpRequest): void =>
    void fake.hls.config.xhrSetup!(xhr, (context as { url: string }).url, context as never);
  return { ...fake, video, telemetry, request };
}

test('a media request has its place, its level and its bytes, and the decision that led to it', async () => {
  const { say, request, telemetry } = await attached();
  const asked = frag(3);
  say('hlsFragLoading', { frag: asked });
  const { xhr, send, end } = fakeXhr(206, `${CDN}/video-2.mp4`);
  const range = { rangeStart: 1000, rangeEnd: 2000 };
  request({ type: 'media-fragment', url: `${CDN}/video-2.mp4`, frag: asked, part: null, ...range }, xhr);
  send();
  end('load', 1000);
  await vi.advanceTimersByTimeAsync(2000);
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'request')).toMatchObject([
    {
      type: 'media',
      mediaType: 'video',
      method: 'GET',
      range: '1000-1999',
      attempt: 0,
      outcome: 'ok',
      status: 206,
      segment: 2,
      mediaStartMs: 4000,
      mediaDurationMs: 2000,
      representationId: 'video-2',
      rung: 1,
      bitrateKbps: 600,
      receivedBytes: 1000,
      cmsdStatic: 'ot=v',
      protocol: null,
      missing: { protocol: 'no-entry' },
    },
  ]);
  const [{ id }] = eventsIn(log, 'request') as unknown as [{ id: string }];
  expect(eventsIn(log, 'decision')).toMatchObject([
    { requestId: id, rule: 'hlsjs-abr', rung: 1, segment: 2, estimateKbps: 500, fromRung: null },
  ]);
  expect(eventsIn(log, 'decision')[0]!.because).toBe(
    'hls.js chose level 2 of 2 by its own rule; it expects 500 kbit/s.',
  );
  expect(eventsIn(log, 'ladder')).toMatchObject([
    {
      segmentMs: 2000,
      rungs: [
        { representationId: 'video-1', bitrateKbps: 300, height: 180 },
        { representationId: 'video-2', bitrateKbps: 600, height: 360 },
      ],
    },
  ]);
  expect(log.environment).toMatchObject({ player: 'hls.js 1.7.4', rule: 'hlsjs-abr', dashjsVersion: null });
});

test.each([
  ['error', false, { outcome: 'network-error', attempt: 0 }],
  ['abort', false, { outcome: 'aborted', attempt: 0 }],
  ['abort', true, { outcome: 'timeout', attempt: 0 }],
] as const)('a request that ends with %s, after a time-out: %s', async (name, isTimeout, wanted) => {
  const { say, request, telemetry } = await attached();
  const context = { type: 'media-fragment', url: `${CDN}/a.m4s`, frag: frag(1), part: null };
  const first = fakeXhr(0);
  request(context, first.xhr);
  first.send();
  first.end(name, 300);
  if (name === 'abort')
    say('hlsError', { details: 'aborted', error: new Error('Aborted'), networkDetails: first.xhr });
  if (isTimeout)
    say('hlsError', {
      details: 'fragLoadTimeOut',
      error: new Error('no answer'),
      networkDetails: first.xhr,
    });
  const again = fakeXhr(200);
  request(context, again.xhr);
  again.send();
  again.end('load', 500);
  await vi.advanceTimersByTimeAsync(2000);
  const log = await validLog(telemetry);
  const failed = name === 'error' || isTimeout;
  expect(eventsIn(log, 'request')).toMatchObject([
    { ...wanted, receivedBytes: 300 },
    // Who cancels does not repeat.
    { outcome: 'ok', attempt: failed ? 1 : 0, receivedBytes: 500 },
  ]);
  expect(eventsIn(log, 'error')).toMatchObject(
    isTimeout ? [{ code: 'hlsjs-fragLoadTimeOut', requestId: 'r1', fatal: false }] : [],
  );
});

test.each([
  [
    { type: 'manifest', url: `${CDN}/manifest.m3u8` },
    { type: 'manifest', mediaType: null },
  ],
  [
    { type: 'audioTrack', url: `${CDN}/audio-1.m3u8` },
    { type: 'manifest', mediaType: null },
  ],
  [{ type: 'key', url: `${CDN}/key`, frag: frag(1) }, { type: 'license' }],
  [
    { type: 'media-fragment', url: `${CDN}/i.mp4`, frag: frag('initSegment') },
    { type: 'init', mediaType: 'video' },
  ],
  [
    { type: 'media-fragment', url: `${CDN}/1.m4s`, frag: frag(1, 'audio', 0) },
    { type: 'media', mediaType: 'audio', segment: 0, representationId: 'audio-1', rung: null },
  ],
])('%j is a request of its type', async (context, wanted) => {
  const { request, telemetry } = await attached();
  const { xhr, send, end } = fakeXhr(200);
  request(context, xhr);
  send();
  end('load', 10);
  await vi.advanceTimersByTimeAsync(2000);
  expect(eventsIn(await validLog(telemetry), 'request')).toMatchObject([wanted]);
});

test('switches are logged when hls.js decides, its manifests when they are there', async () => {
  const { say, hls, telemetry } = await attached();
  say('hlsLevelLoaded', { details, levelInfo: hls.levels[0] });
  say('hlsLevelSwitching', { level: 0 });
  say('hlsFragLoading', { frag: frag(1, 'main', 0) });
  say('hlsFragLoadEmergencyAborted');
  say('hlsLevelSwitching', { level: 1 });
  say('hlsFragLoading', { frag: frag(2, 'main', 1) });
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'manifest')).toMatchObject([{ type: 'static', durationMs: 24_000, periods: 1 }]);
  expect(eventsIn(log, 'switch')).toMatchObject([{ phase: 'requested', fromRung: 0, toRung: 1 }]);
  // The first did not lead to a request; the second waits for one.
  expect(eventsIn(log, 'decision')).toMatchObject([{ rung: 0, requestId: null }]);
  await telemetry.stop();
  const because = eventsIn(await validLog(telemetry), 'decision').map((each) => each.because);
  expect(because[1]).toContain('It had just cancelled a download that would have come too late.');
});

test('while a rule of ours decides, its decision has the request, and a choice of hls.js is none', async () => {
  const { say, request, telemetry } = await attached();
  const decide = ruleInCharge(telemetry);
  say('hlsFragLoading', { frag: frag(1, 'main', 0) });
  say('hlsLevelSwitching', { level: 1 });
  decide(2);
  const asked = frag(3);
  say('hlsFragLoading', { frag: asked });
  const { xhr, send } = fakeXhr(200);
  request({ type: 'media-fragment', url: `${CDN}/3.m4s`, frag: asked, part: null }, xhr);
  send();
  const log = await validLog(telemetry);
  const [{ id }] = eventsIn(log, 'request') as unknown as [{ id: string }];
  expect(eventsIn(log, 'decision')).toMatchObject([{ rule: 'bba-2', segment: 2, requestId: id }]);
  expect(eventsIn(log, 'switch')).toMatchObject([{ reason: 'The rule bba-2 chose it.' }]);
});

test('after the end nothing of it is left in the player, and what the page had set is back', async () => {
  const fake = fakeHls();
  const own = vi.fn();
  fake.hls.config.xhrSetup = own;
  const telemetry = await attachHls(fake.asHls, fakeVideo());
  const { xhr } = fakeXhr(200);
  void fake.hls.config.xhrSetup(xhr, `${CDN}/a.m4s`, { type: 'key', url: `${CDN}/a.m4s` } as never);
  expect(own).toHaveBeenCalledOnce();
  expect(fake.count()).toBeGreaterThan(5);
  await telemetry.stop();
  expect(fake.count()).toBe(0);
  expect(fake.hls.config.xhrSetup).toBe(own);
});
