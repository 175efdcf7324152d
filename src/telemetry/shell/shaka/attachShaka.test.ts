import type shaka from 'shaka-player';
import { expect, test, vi } from 'vitest';
import { eventsIn, fakePage, fakeVideo, ruleInCharge, validLog } from '../playerFakes.testing.ts';
import { attachShaka } from './attachShaka.ts';

fakePage();

const CDN = 'https://cdn.example/stream';
const track = (id: string, videoBandwidth: number | null, more: object = {}) => ({
  originalVideoId: id,
  videoBandwidth,
  bandwidth: (videoBandwidth ?? 0) + 48_000,
  width: 320,
  height: 180,
  videoCodec: 'vp09.00.11.08',
  ...more,
});
const stream = (type: string, originalId: string, id = 1) => ({
  type,
  id,
  originalId,
  bandwidth: 48_000,
  segmentIndex: { find: (seconds: number) => seconds / 2 },
});
const segment = { getStartTime: () => 4, getEndTime: () => 6 };

class FakePlayer extends EventTarget {
  static readonly version = 'v5.2.12';
}

/** Shaka as its filters, its events and its facts show it. */
function fakeShaka(
  tracks = [
    track('video-1', 150_000),
    track('video-2', 300_000),
    // A second sound: the same video once more.
    track('video-2', 300_000, { originalAudioId: 'audio-2' }),
  ],
) {
  const target = new FakePlayer();
  const add = vi.spyOn(target, 'addEventListener');
  const remove = vi.spyOn(target, 'removeEventListener');
  const filters = new Set<(type: number, request: object, context: object) => void>();
  const player = Object.assign(target, {
    getNetworkingEngine: () => ({
      registerRequestFilter: (filter: never) => void filters.add(filter),
      unregisterRequestFilter: (filter: never) => void filters.delete(filter),
    }),
    getVariantTracks: () => tracks,
    getBufferedInfo: () => ({ video: [{ start: 0, end: 4 }], audio: [{ start: 0, end: 2 }] }),
    getStats: () => ({ estimatedBandwidth: 1e6 }),
    getConfiguration: () => ({ streaming: { bufferingGoal: 10 } }),
    getManifest: () => ({ isLowLatency: false, periodCount: 2 }),
    getAssetUri: () => `${CDN}/manifest.mpd`,
    isLive: () => false,
    seekRange: () => ({ start: 0, end: 24 }),
  });
  const say = (name: string, facts: object = {}): void =>
    void target.dispatchEvent(Object.assign(new Event(name), facts));
  const ask = (type: number, request: object, context: object = {}): void => {
    for (const filter of filters) filter(type, request, context);
  };
  const left = (): number => filters.size + add.mock.calls.length - remove.mock.calls.length;
  return { player: player as unknown as shaka.Player, say, ask, left };
}

const requestOf = (file: string, attempt = 0, headers: object = {}) => ({
  uris: [`${CDN}/${file}`],
  method: 'GET',
  attempt,
  headers,
});

async function attached(tracks?: ReturnType<typeof track>[]) {
  const fake = fakeShaka(tracks);
  const telemetry = await attachShaka(fake.player, fakeVideo());
  return { ...fake, telemetry };
}

test('a media request has its place, its level and its bytes, and the decision that led to it', async () => {
  const { ask, say, telemetry } = await attached();
  say('manifestparsed');
  const request = requestOf('video-2.mp4', 0, { Range: 'bytes=1000-1999' });
  ask(1, request, { type: 1, stream: stream('video', 'video-2'), segment });
  const response = { status: 206, uri: request.uris[0], headers: {}, data: new ArrayBuffer(1000) };
  say('downloadcompleted', { request, response });
  await vi.advanceTimersByTimeAsync(2000);
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'request')).toMatchObject([
    {
      type: 'media',
      mediaType: 'video',
      range: '1000-1999',
      outcome: 'ok',
      status: 206,
      segment: 2,
      mediaStartMs: 4000,
      mediaDurationMs: 2000,
      representationId: 'video-2',
      rung: 1,
      bitrateKbps: 300,
      receivedBytes: 1000,
      missing: { protocol: 'no-entry' },
    },
  ]);
  expect(eventsIn(log, 'decision')).toMatchObject([
    {
      requestId: 'r1',
      rule: 'shaka-abr',
      rung: 1,
      estimateKbps: 1000,
      moment: { bufferMs: 4000, bufferTargetMs: 10_000 },
      because: 'Shaka chose this level by its own rule; it expects 1000 kbit/s.',
    },
  ]);
  const [first, second] = eventsIn(log, 'ladder');
  expect(first!.rungs.map(({ bitrateKbps }) => bitrateKbps)).toEqual([150, 300]);
  expect(second).toBeUndefined();
  expect(log.environment).toMatchObject({ player: 'shaka-player 5.2.12', rule: 'shaka-abr' });
});

test.each([
  [{ error: { code: 7001 } }, { outcome: 'aborted', status: null }],
  [{ error: { code: 1002 } }, { outcome: 'network-error', status: null }],
  [
    { error: { code: 7001 }, aborted: true },
    { outcome: 'timeout', status: null },
  ],
  [
    { error: { code: 1001 }, httpResponseCode: 404 },
    { outcome: 'http-error', status: 404 },
  ],
])('a request that failed with %j', async (failed, wanted) => {
  const { ask, say, telemetry } = await attached();
  const request = requestOf('a.m4s', 2);
  ask(1, request, { type: 1, stream: stream('audio', 'audio-1'), segment });
  say('downloadfailed', { request, ...failed });
  await vi.advanceTimersByTimeAsync(2000);
  expect(eventsIn(await validLog(telemetry), 'request')).toMatchObject([
    { ...wanted, attempt: 2, mediaType: 'audio', rung: null, bitrateKbps: 48 },
  ]);
});

test.each([
  [0, 'manifest.mpd', {}, { type: 'manifest' }],
  [12, 'a.m3u8', {}, { type: 'manifest' }],
  [2, 'licence', {}, { type: 'license' }],
  [1, 'i.mp4', { type: 0, stream: stream('video', 'video-1') }, { type: 'init', mediaType: 'video' }],
  [1, 'v.mp4', { stream: stream('video', 'video-1') }, { type: 'index', mediaType: 'video' }],
])('type %i, %s: it is a request of its type', async (type, file, context, wanted) => {
  const { ask, say, telemetry } = await attached();
  const request = requestOf(file);
  ask(type, request, context);
  say('downloadcompleted', {
    request,
    response: { status: 200, uri: '', headers: {}, data: new ArrayBuffer(1) },
  });
  await vi.advanceTimersByTimeAsync(2000);
  expect(eventsIn(await validLog(telemetry), 'request')).toMatchObject([wanted]);
});

test('its manifest, its switches and its errors are in the log', async () => {
  const { say, telemetry } = await attached();
  say('manifestparsed');
  say('loaded');
  say('adaptation', { oldTrack: track('video-1', 1), newTrack: track('video-2', 1) });
  // Another sound with the same video is no switch.
  say('variantchanged', { oldTrack: track('video-2', 1), newTrack: track('video-2', 1) });
  say('error', { detail: { code: 3016, severity: 2, message: 'the decoder stopped' } });
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'manifest')).toMatchObject([{ type: 'static', durationMs: 24_000, periods: 2 }]);
  expect(eventsIn(log, 'switch')).toMatchObject([{ phase: 'requested', fromRung: 0, toRung: 1 }]);
  expect(eventsIn(log, 'error')).toMatchObject([{ code: 'shaka-3016', message: 'the decoder stopped' }]);
});

test('a level of HLS is called by its playlist, without the query of its address', async () => {
  const { ask, telemetry } = await attached();
  const hls = stream('video', '480p/video-1.m3u8?token=secret');
  ask(1, requestOf('a.m4s'), { type: 1, stream: hls, segment });
  await vi.advanceTimersByTimeAsync(2000);
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'request')).toMatchObject([
    { representationId: '480p/video-1', outcome: 'in-flight' },
  ]);
  expect(JSON.stringify(log)).not.toContain('secret');
});

test('levels of HLS that only their queries tell apart are several, and the queries stay out of the log', async () => {
  const [low, high] = ['index.m3u8?level=1&token=secret', 'index.m3u8?level=2&token=secret'] as const;
  const tracks = [track(low, 150_000, { videoId: 3 }), track(high, 300_000, { videoId: 4 })];
  const { ask, say, telemetry } = await attached(tracks);
  say('manifestparsed');
  say('adaptation', { oldTrack: tracks[0], newTrack: tracks[1] });
  ask(1, requestOf('a.m4s'), { type: 1, stream: stream('video', high, 4), segment });
  await vi.advanceTimersByTimeAsync(2000);
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'ladder')[0]!.rungs.map(({ bitrateKbps }) => bitrateKbps)).toEqual([150, 300]);
  expect(eventsIn(log, 'switch')).toMatchObject([{ fromRung: 0, toRung: 1 }]);
  expect(eventsIn(log, 'request')).toMatchObject([
    { representationId: 'index#4', rung: 1, bitrateKbps: 300 },
  ]);
  expect(JSON.stringify(log)).not.toContain('secret');
});

test('while a rule of ours decides, its decision has the request, and a choice of Shaka is none', async () => {
  const { ask, say, telemetry } = await attached();
  say('manifestparsed');
  const decide = ruleInCharge(telemetry);
  decide(2);
  say('adaptation', { oldTrack: track('video-1', 1), newTrack: track('video-2', 1) });
  ask(1, requestOf('3.m4s'), { type: 1, stream: stream('video', 'video-2'), segment });
  const log = await validLog(telemetry);
  expect(eventsIn(log, 'decision')).toMatchObject([{ rule: 'bba-2', segment: 2, requestId: 'r1' }]);
  expect(eventsIn(log, 'switch')).toMatchObject([{ reason: 'The rule bba-2 chose it.' }]);
});

test('after the end nothing of it is left in the player', async () => {
  const { left, telemetry } = await attached();
  expect(left()).toBeGreaterThan(5);
  await telemetry.stop();
  expect(left()).toBe(0);
});
