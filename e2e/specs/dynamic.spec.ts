import { abrRules } from '../../src/abr/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { replay } from '../../src/sim/replay/replay.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

/** From the ninth on BolaRule goes by the buffer: all of dash.js' phases are seen. */
const DECISIONS = 11;
/** ms. So many segments are 44 s of media, which come at about the pace of playback once the buffer is full. */
const LIMIT_MS = 60_000;

test('our dynamic chooses what dash.js’ own does', async ({ open }) => {
  const session = await open({ mpd: '/media/demo/manifest.mpd', rule: 'dashjs-dynamic', rateKbps: 2500 });
  await session.playing();
  const videoDecisions = async () =>
    eventsOf(await session.log(), 'decision').filter(({ mediaType }) => mediaType === 'video').length;
  await expect.poll(videoDecisions, { timeout: LIMIT_MS }).toBeGreaterThanOrEqual(DECISIONS);
  const { decisions } = replay(await session.stop(), pick(abrRules, 'dynamic'));
  const others = decisions.filter(({ agrees }) => !agrees);
  // A measured rate may lie so close to a rung that a header or a ms decides; not twice.
  expect(others.length, JSON.stringify(others)).toBeLessThanOrEqual(1);
  expect(decisions.some(({ because }) => because.startsWith('BolaRule: with'))).toBe(true);
});
