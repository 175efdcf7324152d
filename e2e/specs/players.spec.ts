import { abrRules } from '../../src/abr/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import type { DecisionEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { answersOf, asUriAndSize, eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
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

/** The decisions of a rule that led to a request. */
const decidedBy = (log: SessionLog, rule: string): DecisionEvent[] =>
  eventsOf(log, 'decision').filter((decision) => decision.rule === rule && decision.requestId !== null);

/** Waits until a rule has decided about so many requests. */
const waitForDecisions = (session: OpenSession, rule: string): Promise<void> =>
  expect
    .poll(async () => decidedBy(await session.log(), rule).length, { timeout: 40_000 })
    .toBeGreaterThan(2);

for (const { player, file } of [
  { player: 'hlsjs', file: 'manifest.m3u8' },
  { player: 'shaka', file: 'manifest.mpd' },
] as const)
  test(`rules of ours decide in ${player}, and are switched while it plays`, async ({ open, ownOrigin }) => {
    const session = await open({
      mpd: `/media/demo/${file}`,
      origin: ownOrigin,
      rule: 'fixed:level=5',
      query: { player },
      rateKbps: 4000,
    });
    const { page } = session;
    const own = `${player}-abr`;
    await session.playing();
    await expect(page.locator('#rule')).toHaveValue('fixed');
    await waitForDecisions(session, 'fixed');
    // By the form, as a visitor does.
    await page.locator('#rule').selectOption('throughput');
    await waitForDecisions(session, 'throughput');
    await page.evaluate((rule) => window.pitwall!.useRule(rule), own);
    await waitForDecisions(session, own);
    await expect(page.evaluate(() => window.pitwall!.useRule('dashjs-bola'))).rejects.toThrow(
      /dashjs-bola is a rule of dash\.js/,
    );
    const log = await session.stop();
    await expect(page.evaluate(() => window.pitwall!.useRule('bola'))).rejects.toThrow(/Playback is over/);
    expect(eventsOf(log, 'rule').map(({ rule }) => rule)).toEqual(['fixed', 'throughput', own]);
    expect(log.environment).toMatchObject({ rule: 'fixed', ruleParameters: { level: 5 } });
    // hls.js also says where its own rule abandons a request, and where it waits.
    expect(eventsOf(log, 'error').filter(({ fatal, source }) => fatal || source === 'rule')).toEqual([]);
    expectDecided(log, [own, 'fixed', 'throughput']);
    const ofLevel5 = decidedBy(log, 'fixed').map(({ requestId }) => requestId);
    const answered = answersOf(ownOrigin, '/media/demo/').map(({ uri }) => uri);
    for (const { url } of requestsIn(log).filter(({ id }) => ofLevel5.includes(id))) {
      expect(url).toMatch(/\/video-5\//);
      expect(answered).toContain(new URL(url).pathname);
    }
    const { decisions, differences } = replayDifferences(log, pick(abrRules, 'throughput'));
    expect(decisions).toBeGreaterThan(2);
    expect(differences).toEqual([]);
  });

/** Expects that each request of video has a decision, of one of these rules, with the level that was requested. */
function expectDecided(log: SessionLog, rules: readonly string[]): void {
  const video = requestsIn(log).filter(({ mediaType }) => mediaType === 'video');
  const decisions = eventsOf(log, 'decision').filter(({ requestId }) => requestId !== null);
  expect([...new Set(decisions.map(({ rule }) => rule))].sort()).toEqual([...rules].sort());
  const rungs = new Map(decisions.map(({ requestId, rung }) => [requestId, rung]));
  for (const { id, rung, url } of video) expect(rungs.get(id), url).toBe(rung);
}

test('a rule of dash.js is refused where another player plays', async ({ open }) => {
  const { page } = await open({ mpd: '/media/demo/manifest.m3u8', rule: 'dashjs-bola' });
  await page.waitForFunction(() => window.pitwall?.state().phase === 'failed');
  await expect(page.locator('#alert')).toContainText(
    'dashjs-bola is a rule of dash.js, and hls.js plays: choose hlsjs-abr or a rule of the papers.',
  );
});

test('the form offers the player’s own rule in place of those of dash.js, and gives them back', async ({
  open,
}) => {
  const { page } = await open({ mpd: '/media/demo/manifest.mpd', rule: 'dashjs-bola', autoplay: false });
  const rule = page.locator('#rule');
  const mpd = page.locator('#mpd');
  const dashAddress = await mpd.inputValue();
  await mpd.fill(dashAddress.replace('.mpd', '.m3u8'));
  await expect(rule).toHaveValue('hlsjs-abr');
  await expect(rule.locator('option:checked')).toHaveText('hls.js’s own rule');
  await expect(page.locator('#share-url')).toContainText('rule=hlsjs-abr');
  await mpd.fill(dashAddress);
  await expect(rule).toHaveValue('dashjs-bola');
  await rule.selectOption('bba-2');
  await mpd.fill(dashAddress.replace('.mpd', '.m3u8'));
  // It is under Advanced, which is closed.
  await expect(page.locator('#player-field')).not.toHaveAttribute('hidden');
  await expect(rule).toHaveValue('bba-2');
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
