import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const SCRIPT = 'time-3:seek-by-20,time-6:pause-2,time-10:leave';
const MPD = '/media/demo/manifest.mpd';

/** When the viewer did what, ms after play was requested. */
function viewed(log: SessionLog): Record<'seek' | 'pause' | 'play' | 'leave', number> {
  const states = eventsOf(log, 'playback');
  const startMs = states.find(({ state }) => state === 'play-requested')!.atMs;
  const paused = states.find(({ state }) => state === 'paused')!;
  const again = states.find(({ state, atMs }) => state === 'play-requested' && atMs > paused.atMs);
  return {
    seek: eventsOf(log, 'seek')[0]!.atMs - startMs,
    pause: paused.atMs - startMs,
    play:
      (again ?? states.find(({ state, atMs }) => state === 'playing' && atMs > paused.atMs))!.atMs - startMs,
    leave: log.parts.at(-1)!.endMs! - startMs,
  };
}

for (const mode of ['h1', 'h3-only'] as const)
  test(`a viewer's script over ${mode}: the same moments whatever carries the media`, async ({ open }) => {
    const { page, log } = await open({ mpd: MPD, mode, query: { viewer: SCRIPT } });
    await expect
      .poll(() => page.evaluate(() => window.pitwall!.state().phase), { timeout: 30_000 })
      .toBe('stopped');
    const recorded = await log();
    expect(recorded.environment.viewer).toBe(SCRIPT);
    expect(eventsOf(recorded, 'seek')).toHaveLength(1);
    expect(eventsOf(recorded, 'seek')[0]!.toMs).toBeGreaterThan(20_000);
    const { seek, pause, play, leave } = viewed(recorded);
    for (const [atMs, dueMs] of [
      [seek, 3000],
      [pause, 6000],
      [play, 8000],
      [leave, 10_000],
    ] as const)
      expect(Math.abs(atMs - dueMs), `due at ${dueMs} ms`).toBeLessThan(100);
  });

test('a step at a position waits for the playhead, and a script that is none is refused', async ({
  open,
}) => {
  const { page, playing, state, log } = await open({
    mpd: MPD,
    query: { viewer: 'position-4:seek-to-30,position-32:leave' },
  });
  await playing();
  await expect.poll(async () => (await state()).phase, { timeout: 40_000 }).toBe('stopped');
  const [seek] = eventsOf(await log(), 'seek');
  // The position of the last timeupdate, which comes four times a second.
  expect(seek!.fromMs).toBeGreaterThanOrEqual(3700);
  expect(seek!.fromMs).toBeLessThan(4300);
  expect(seek!.toMs).toBe(30_000);
  await page.locator('#advanced-button').click();
  await page.locator('#viewer').fill('time-3:dance');
  await page.locator('#start').click();
  await expect(page.getByRole('alert')).toContainText('“time-3:dance” is no step');
});

test('a recording that goes on after Undo has no viewer any more', async ({ open }) => {
  const viewer = 'time-6:seek-by-20';
  const { page, playing, log } = await open({ mpd: MPD, rule: 'bola', query: { viewer } });
  await playing();
  const sessionId = () => page.evaluate(() => window.pitwall!.state().sessionId);
  const first = await sessionId();
  await page.click('#start');
  await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(sessionId).toBe(first);
  await page.waitForTimeout(8000);
  expect(eventsOf(await log(), 'seek')).toEqual([]);
});
