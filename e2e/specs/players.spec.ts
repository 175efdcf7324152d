import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { answersOf, asUriAndSize, eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const STREAM = '/media/test/multi-audio/';

/** Plays until a level was rendered and the player waits with a full buffer, so that no request is cut off by the end. */
async function playOut(session: OpenSession): Promise<SessionLog> {
  await session.playing();
  await session.page.waitForFunction(
    () => document.querySelector('video')!.currentTime > 4 && window.pitwall!.state().requestsInFlight === 0,
  );
  return session.stop();
}

for (const { player, file, mode, version, protocol } of [
  { player: 'hlsjs', file: 'manifest.m3u8', mode: 'h2', version: 'hls.js 1.7.4', protocol: 'h2' },
  { player: 'hlsjs', file: 'manifest.m3u8', mode: 'h3-only', version: 'hls.js 1.7.4', protocol: 'h3' },
  { player: 'shaka', file: 'manifest.m3u8', mode: 'h3-only', version: 'shaka-player 5.2.12', protocol: 'h3' },
  { player: 'shaka', file: 'manifest.mpd', mode: 'h2', version: 'shaka-player 5.2.12', protocol: 'h2' },
] as const)
  test(`${player} plays ${file} over ${mode}: every request is in the log, as the server saw it`, async ({
    open,
    ownOrigin,
  }) => {
    const session = await open({
      mpd: `${STREAM}${file}`,
      mode,
      origin: ownOrigin,
      // hls.js is what an HLS playlist needs.
      query: player === 'hlsjs' ? {} : { player },
      rateKbps: 6000,
    });
    const log = await playOut(session);
    const requests = requestsIn(log, ['manifest', 'init', 'index', 'media', 'other']);
    expectAnswered(requests, { answers: answersOf(ownOrigin, STREAM), protocol });
    expectPlaces(log);

    const { environment } = log;
    const rule = `${player}-abr`;
    expect(environment).toMatchObject({ player: version, rule, dashjsVersion: null, preset: null });
    expect(environment.missing).toMatchObject({
      dashjsVersion: 'not-applicable',
      preset: 'not-applicable',
    });
    expect(environment.mpdUrl).toContain(`${STREAM}${file}`);
    expect(eventsOf(log, 'ladder')[0]!.rungs).toHaveLength(3);
    expect(eventsOf(log, 'manifest')[0]).toMatchObject({ type: 'static', lowLatency: false });
    const states = eventsOf(log, 'playback').map(({ state }) => state);
    expect(states[0]).toBe('play-requested');
    expect(states).toEqual(expect.arrayContaining(['first-frame', 'playing', 'stopped']));
    expect(eventsOf(log, 'switch').some(({ phase }) => phase === 'rendered')).toBe(true);
    expect(eventsOf(log, 'buffer').map(({ mediaType }) => mediaType)).toEqual(
      expect.arrayContaining(['video', 'audio']),
    );
    expect(eventsOf(log, 'error')).toEqual([]);
  });

/** Expects the same requests in the log and in the server's, with the same bytes; of those that the player cancelled, at most as many. */
function expectAnswered(
  requests: ReturnType<typeof requestsIn>,
  { answers, protocol }: { answers: ReturnType<typeof answersOf>; protocol: string },
): void {
  const whole = requests.filter(({ outcome }) => outcome === 'ok');
  const logged = whole.map(asUriAndSize.logged).sort();
  const cancelled = requests.filter(({ outcome }) => outcome === 'aborted');
  expect(whole.length + cancelled.length, formatRequests(requests)).toBe(requests.length);
  expect(requests.length).toBe(answers.length);
  const answered = answers
    .map(asUriAndSize.answered)
    .filter((each) => logged.includes(each))
    .sort();
  expect(answered, formatRequests(requests)).toEqual(logged);
  for (const request of whole) {
    expect(request.protocol, request.url).toBe(protocol);
    expect(request.encodedBodyBytes, request.url).not.toBeNull();
    expect(request.firstByteMs, request.url).not.toBeNull();
  }
}

/** Expects a place and a level of all video but what Shaka loads before it has read the playlists, and the decision that led to it. */
function expectPlaces(log: SessionLog): void {
  const media = requestsIn(log, ['media']);
  const video = media.filter(({ mediaType }) => mediaType === 'video');
  const early = media.filter(({ mediaType }) => mediaType === null);
  expect(video.length).toBeGreaterThan(3);
  expect(early.length, formatRequests(early)).toBeLessThanOrEqual(4);
  for (const { rung, representationId, segment, mediaStartMs } of video) {
    expect([rung, segment, mediaStartMs]).toEqual(
      [0, 0, 0].map(() => expect.any(Number) as unknown as number),
    );
    expect(representationId).toMatch(/^video-\d$/);
  }
  const decided = eventsOf(log, 'decision').map(({ requestId }) => requestId);
  expect(decided).toEqual(expect.arrayContaining(video.map(({ id }) => id)));
}
