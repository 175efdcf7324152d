import { eventsOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/demo/manifest.mpd';

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
