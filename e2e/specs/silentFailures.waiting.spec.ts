import { testRecipe } from '../../lab/content/ladder.ts';
import { STANDSTILL_MS } from '../../src/player/failures/standstill.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { spoiledOrigin, type Spoil } from '../fixtures/misbehave.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/test/template/manifest.mpd';
/** A well-formed box of nothing (ISO/IEC 14496-12 §8.1.2): every parser skips it without a word. */
const NOTHING = Buffer.alloc(50_000);
NOTHING.writeUInt32BE(NOTHING.length, 0);
NOTHING.write('free', 4, 'latin1');

/** Video and audio are whole before the third segment. */
const WHOLE_MS = 2 * testRecipe.segmentSeconds * 1000;
const WHOLE_FRAMES = 2 * testRecipe.segmentSeconds * testRecipe.framesPerSecond;

const fatalsIn = (log: SessionLog): string[] =>
  eventsOf(log, 'error').flatMap(({ fatal, message }) => (fatal ? [message] : []));

test.describe('what no error tells', () => {
  async function spoiled(
    open: (options: SessionOptions) => Promise<OpenSession>,
    origin: NonNullable<SessionOptions['origin']>,
    { mpd = MPD, spoil }: { mpd?: string; spoil: Spoil },
    check: (session: OpenSession) => Promise<void>,
  ): Promise<void> {
    const proxy = await spoiledOrigin(origin, spoil);
    try {
      await check(await open({ mpd: `${proxy.url}${mpd}`, origin }));
    } finally {
      await proxy.close();
    }
  }

  for (const [what, broken, sentence, check] of [
    [
      'video segments without video: playback that stands still ends with one sentence',
      /video.*\D([3-9]|\d\d)\.m4s$/,
      /Playback stands still at \d+\.\d s: no video can be played/,
      expectStoodAfterVideo,
    ],
    [
      'no segment with video at all: the same before the first frame',
      /video.*\.m4s$/,
      /Playback stands still at 0\.0 s: no video can be played/,
      expectNeverPlayed,
    ],
    [
      'nothing in any segment after the second: an end that comes early is no end',
      /\D([3-9]|\d\d)\.m4s$/,
      /ended at \d+\.\d s, but its manifest promises 24\.0 s/,
      expectEndedAfterWhole,
    ],
  ] as const)
    test(what, async ({ open, origin }) => {
      const spoil: Spoil = (path) => (broken.test(path) ? { body: NOTHING } : null);
      await spoiled(open, origin, { spoil }, async (session) => {
        await expect(session.page.getByRole('alert')).toContainText(sentence, { timeout: 60_000 });
        const log = await session.log();
        expect(fatalsIn(log)).toHaveLength(1);
        check(log);
        expect(requestsIn(log, ['init', 'media']).every(({ outcome }) => outcome !== 'http-error')).toBe(
          true,
        );
      });
    });

  test('media segments that are all gone end with the number of them', async ({ open, origin }) => {
    const spoil: Spoil = (path) => (/video.*\.m4s$/.test(path) ? { status: 404 } : null);
    await spoiled(open, origin, { spoil }, async (session) => {
      await expect(session.page.getByRole('alert')).toContainText(
        /segment of the video \(\S+\.m4s\) .*404.*5 segments in a row are missing/,
        { timeout: 60_000 },
      );
      expect(fatalsIn(await session.log())).toHaveLength(1);
    });
  });

  test('subtitles that are gone do not end playback', async ({ open, origin }) => {
    const spoil: Spoil = (path) => (path.endsWith('.vtt') ? { status: 404 } : null);
    await spoiled(open, origin, { mpd: '/media/test/multi-audio/manifest.mpd', spoil }, async (session) => {
      await session.playing();
      await expect
        .poll(async () => (await session.state()).phase, { timeout: 60_000 })
        .toMatch(/ended|failed/);
      const log = await session.log();
      expect(fatalsIn(log)).toEqual([]);
      expect(log.events.some((event) => event.kind === 'playback' && event.state === 'ended')).toBe(true);
      expect(requestsIn(log, ['media', 'init', 'other']).some(({ status }) => status === 404)).toBe(true);
    });
  });

  test('an end that dash.js finds before the element says it is one end, and moves nothing', async ({
    open,
    origin,
  }) => {
    const session = await open({
      mpd: MPD,
      origin,
      beforeLoad: async (page) => void (await page.addInitScript(lookWhileEnding)),
    });
    await session.playing();
    await session.page.evaluate(() => window.pitwall!.seek(21_000));
    await expect.poll(async () => (await session.state()).phase, { timeout: 30_000 }).toBe('ended');
    // Seen: a seek beyond the end and an init segment each 200 ms, for ever.
    await session.page.waitForTimeout(1500);
    // That of dash.js, and that of the recorder.
    expect(await session.page.evaluate(() => document.documentElement.dataset['looks'])).toBe('2');
    const log = await session.stop();
    expect(eventsOf(log, 'seek').map(({ toMs }) => toMs)).toEqual([21_000]);
    const states = eventsOf(log, 'playback').map(({ state }) => state);
    expect(states.filter((state) => state === 'ended')).toHaveLength(1);
    expect(fatalsIn(log)).toEqual([]);
  });

  test('a pause longer than the limit of standing still is no failure', async ({ open, origin }) => {
    const session = await open({ mpd: MPD, origin });
    await session.playing();
    await session.page.evaluate(() => window.pitwall!.pause());
    await session.page.waitForTimeout(35_000);
    expect((await session.state()).phase).toBe('paused');
    await session.page.evaluate(() => window.pitwall!.play());
    await session.playing();
    expect(fatalsIn(await session.stop())).toEqual([]);
  });

  test('video that the browser has no decoder for is an error with its codec, before sound plays alone', async ({
    open,
    origin,
  }) => {
    const spoil: Spoil = (path, answer) =>
      path === MPD
        ? { body: answer.toString().replaceAll(/codecs="vp09[^"]*"/g, 'codecs="hvc1.1.6.L93.90"') }
        : null;
    await spoiled(open, origin, { spoil }, async (session) => {
      const sentence =
        /This browser cannot decode hvc1\.1\.6\.L93\.90, .*\d×\d.* no other video, so nothing is played\./;
      await expect(session.page.getByRole('alert')).toContainText(sentence);
      const log = await session.log();
      expect(fatalsIn(log)).toEqual([expect.stringMatching(sentence)]);
      expect(requestsIn(log, ['media'])).toEqual([]);
    });
  });

  test('of video in two codecs the one without a decoder is left out by name, and the other plays', async ({
    open,
    origin,
  }) => {
    const spoil: Spoil = (path, answer) =>
      path === MPD
        ? { body: answer.toString().replace(/codecs="vp09[^"]*"/, 'codecs="hvc1.1.6.L93.90"') }
        : null;
    await spoiled(open, origin, { spoil }, async (session) => {
      await session.playing();
      const log = await session.stop();
      const notices = eventsOf(log, 'error').filter(({ code }) => code === 'left-out');
      expect(notices.map(({ fatal }) => fatal)).toEqual([false]);
      expect(notices[0]!.message).toMatch(
        /cannot decode hvc1\.1\.6\.L93\.90, .*; \d+ of \d+ are left out\.$/,
      );
      expect(fatalsIn(log)).toEqual([]);
      expect(requestsIn(log).some(({ mediaType }) => mediaType === 'video')).toBe(true);
    });
  });
});

/** Where playback failed, as its sentence says, and when. */
function failureIn(log: SessionLog): { placeMs: number; atMs: number } {
  const { message, atMs } = eventsOf(log, 'error').find(({ fatal }) => fatal)!;
  return { placeMs: Number(/ at (\d+\.\d) s/.exec(message)?.[1]) * 1000, atMs };
}

/** Where the log saw the playhead while playback stood still: one place, the one that the sentence names to 0.1 s. */
function standstillMs(log: SessionLog): number {
  const { placeMs, atMs } = failureIn(log);
  // The failure comes once playback has stood still for that long.
  const samples = eventsOf(log, 'playback').filter(
    (each) => each.state === 'sample' && each.atMs <= atMs && each.atMs >= atMs - STANDSTILL_MS,
  );
  const places = [...new Set(samples.map(({ playheadMs }) => playheadMs))];
  expect(places).toHaveLength(1);
  expect(Math.abs(places[0]! - placeMs)).toBeLessThanOrEqual(50);
  return places[0]!;
}

const decodedFrames = (log: SessionLog, untilMs: number): number =>
  Math.max(0, ...eventsOf(log, 'frames').flatMap(({ atMs, decoded }) => (atMs <= untilMs ? [decoded] : [])));

/**
 * Chromium goes on with the sound alone when video is lacking, for 3 s by the machine's clock, or until the sound
 * falters too (media/renderers/renderer_impl.cc, `video_underflow_threshold_`). How far playback comes in that time
 * depends on how busy the machine is.
 */
function expectStoodAfterVideo(log: SessionLog): void {
  const stoodMs = standstillMs(log);
  expect(stoodMs).toBeGreaterThanOrEqual(WHOLE_MS);
  expect(stoodMs).toBeLessThanOrEqual(7900);
  // Every frame of the whole segments was decoded, and none after them.
  expect(decodedFrames(log, failureIn(log).atMs)).toBe(WHOLE_FRAMES);
}

function expectNeverPlayed(log: SessionLog): void {
  expect(standstillMs(log)).toBe(0);
  expect(decodedFrames(log, failureIn(log).atMs)).toBe(0);
  expect(eventsOf(log, 'playback').map(({ state }) => state)).not.toContain('playing');
}

function expectEndedAfterWhole(log: SessionLog): void {
  const { placeMs } = failureIn(log);
  const ends = eventsOf(log, 'playback').filter(({ state }) => state === 'ended');
  expect(ends).toHaveLength(1);
  expect(Math.abs(ends[0]!.playheadMs - placeMs)).toBeLessThanOrEqual(50);
  expect(Math.abs(placeMs - WHOLE_MS)).toBeLessThanOrEqual(100);
}

/** Runs in the page: what dash.js does every 200 ms it does once more between the last frame and `ended`. */
function lookWhileEnding(): void {
  const looks: (() => void)[] = [];
  const original = globalThis.setInterval;
  const noted = (look: () => void, ms?: number): ReturnType<typeof setInterval> => {
    if (ms === 200) looks.push(look);
    return original(look, ms);
  };
  globalThis.setInterval = noted as typeof setInterval;
  const onTime = ({ target }: Event): void => {
    if (!(target instanceof HTMLVideoElement) || !target.ended) return;
    document.removeEventListener('timeupdate', onTime, true);
    document.documentElement.dataset['looks'] = String(looks.length);
    for (const look of looks) look();
  };
  document.addEventListener('timeupdate', onTime, true);
}
