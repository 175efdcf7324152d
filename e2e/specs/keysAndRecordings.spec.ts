import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/demo/manifest.mpd';
const paused = (page: Page): Promise<boolean> =>
  page.locator('video').evaluate((each: HTMLVideoElement) => each.paused);
const sessionId = (page: Page): Promise<string | null> =>
  page.evaluate(() => window.pitwall!.state().sessionId);

test('Space after Start pauses, and does not start again', async ({ open }) => {
  const { page, playing } = await open({ mpd: MPD, autoplay: false });
  await page.locator('#start').press('Enter');
  await playing();
  const id = await sessionId(page);
  await expect(page.locator('video')).toBeFocused();
  await page.keyboard.press('Space');
  await expect.poll(() => paused(page)).toBe(true);
  expect(await sessionId(page)).toBe(id);
});

test('keys act anywhere but in fields and on buttons that use them', async ({ open }) => {
  const { page, playing } = await open({ mpd: MPD });
  await playing();
  const muted = () => page.locator('video').evaluate((each: HTMLVideoElement) => each.muted);
  const before = await muted();
  await page.locator('#mpd').focus();
  await page.keyboard.press('m');
  await expect(page.locator('#mpd')).toHaveValue(/m$/);
  expect(await muted()).toBe(before);
  await page.locator('#copy-link').focus();
  await page.keyboard.press('m');
  await expect.poll(muted).toBe(!before);
  // A decision is stepped to from a button as well as from the charts.
  await expect(page.locator('#lane-decisions')).toBeVisible();
  await page.keyboard.press('[');
  await expect(page.locator('#decision')).toContainText(/level \d/i);
  expect(await paused(page)).toBe(false);
  await page.keyboard.press('?');
  await expect(page.locator('#keys')).toBeVisible();
  await expect(page.locator('#keys-list')).toContainText('previous decision');
  await page.locator('#keys-everywhere').uncheck();
  await page.keyboard.press('Escape');
  await page.locator('#copy-link').focus();
  await page.keyboard.press('m');
  await page.waitForTimeout(300);
  expect(await muted()).toBe(!before);
  await page.locator('video').focus();
  await page.keyboard.press('m');
  await expect.poll(muted).toBe(before);
});

test('a restart can be taken back: the recording before goes on', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: MPD });
  await playing();
  await page.waitForTimeout(2500);
  const first = await sessionId(page);
  await page.click('#start');
  await expect(page.locator('#notice')).toContainText('A new recording begins');
  await expect.poll(() => sessionId(page)).not.toBe(first);
  await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => sessionId(page)).toBe(first);
  await playing();
  await page.waitForTimeout(1500);
  const log = await stop();
  expect(log.id).toBe(first);
  expect(log.parts).toHaveLength(2);
  await page.locator('#open-session').click();
  // The one that was taken back is kept, too. The one on show is not listed.
  await expect(page.locator('#recordings-list li')).toHaveCount(1);
  await expect(page.locator(`#recordings-list li[data-session="${first}"]`)).toHaveCount(0);
});

test('recordings are listed, open in the same views, and are removed when asked twice', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: MPD });
  await playing();
  await page.waitForTimeout(2500);
  const { id } = await stop();
  await page.click('#start');
  await expect.poll(() => sessionId(page)).not.toBe(id);
  await page.locator('#open-session').click();
  const row = page.locator(`#recordings-list li[data-session="${id}"]`);
  await expect(row).toContainText('recording of');
  await row.getByRole('button', { name: /^Open the/ }).click();
  await expect(page.locator('#opened-name')).toContainText('recording of');
  await expect(page.locator('#lane-bitrate')).toBeVisible();
  // Keys do not act on the player that the opened session covers.
  const muted = () => page.locator('video').evaluate((each: HTMLVideoElement) => each.muted);
  const before = await muted();
  await page.locator('body').press('m');
  expect(await muted()).toBe(before);
  await page.locator('#open-session').click();
  await row.getByRole('button', { name: /^Remove the/ }).click();
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: /^Really remove the/ }).click();
  await expect(row).toHaveCount(0);
  await expect(page.locator('#recordings')).toBeHidden();
});
