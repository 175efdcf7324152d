import { findAxeFaults } from '../fixtures/findAxeFaults.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import { har } from '../../src/export/har.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import { transportView } from '../../src/telemetry/transportView.ts';

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 400])
    test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ open }) => {
      const { page, playing } = await open({ mpd: '/media/demo/manifest.mpd' });
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await playing();
      await page.waitForTimeout(4000);
      expect(await findAxeFaults(page)).toEqual([]);
      await page.locator('#export-button').click();
      expect(await findAxeFaults(page), 'with the exports of a session').toEqual([]);
      await page.keyboard.press('Escape');
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
    });

test('axe finds nothing before play, in opened parts of the form, and in the dialogs', async ({ open }) => {
  const { page } = await open({ mpd: '/media/demo/manifest.mpd', autoplay: false });
  await page.setViewportSize({ width: 1024, height: 768 });
  const found = (): Promise<string[]> => findAxeFaults(page);
  expect(await found()).toEqual([]);
  await page.locator('#advanced-button').click();
  expect(await found()).toEqual([]);
  await page.locator('#export-button').click();
  expect(await found()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('#open-session').click();
  expect(await found()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('#export-button').focus();
  await page.keyboard.press('?');
  await expect(page.locator('#keys')).toBeVisible();
  expect(await found()).toEqual([]);
});

test('the overview and the lanes of a young session have one axis', async ({ open }) => {
  const { page, playing } = await open({ mpd: '/media/demo/manifest.mpd' });
  await playing();
  await page.waitForTimeout(2500);
  // Much less than 15 s have passed, and the lanes show 15 s.
  await expect(page.locator('.lanes-end')).toHaveText('0:15');
});

test('keyboard: space pauses and plays, arrows seek, m mutes', async ({ open }) => {
  const { page, playing } = await open({ mpd: '/media/demo/manifest.mpd' });
  await playing();
  await page.waitForTimeout(2000);
  const video = page.locator('video');
  await video.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.paused)).toBe(true);
  const before = await video.evaluate((each: HTMLVideoElement) => each.currentTime);
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime))
    .toBeGreaterThan(before + 3);
  const muted = await video.evaluate((each: HTMLVideoElement) => each.muted);
  await page.keyboard.press('m');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.muted)).toBe(!muted);
});

test('an exported session opens again in the same views, without playing', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: '/media/demo/manifest.mpd' });
  await playing();
  await page.waitForTimeout(6000);
  const log = await stop();
  await page
    .locator('#file')
    .first()
    .setInputFiles({
      name: 'lap.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(log)),
    });
  await expect(page.getByText('lap.json').first()).toBeVisible();
  // The lane of windows and round trips is there where the origin reported them, and takes no space where it did not.
  const tells = requestsIn(log).some((request) => transportView(request) !== null);
  await expect(page.locator('#lane-racing')).toBeVisible();
  await expect(page.locator('#lane-transport')).toBeVisible({ visible: tells });
  expect(
    await page.locator('video').evaluate((each: HTMLVideoElement) => each.paused || each.readyState === 0),
  ).toBe(true);
});

test('a session leaves as HAR, as the command line writes it', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: '/media/demo/manifest.mpd' });
  await playing();
  await page.waitForTimeout(2000);
  const log = await stop();
  const download = page.waitForEvent('download');
  await page.locator('[popovertarget="export"]').first().click();
  await page.locator('#export-har').click();
  let text = '';
  for await (const chunk of (await (await download).createReadStream()).setEncoding('utf8'))
    text += String(chunk);
  expect((await download).suggestedFilename()).toBe(`pitwall-${log.id}.har`);
  expect(har.convert(log, { screen: '', fps: null })).toEqual({ ok: true, value: { text, notes: [] } });
  const { entries } = (JSON.parse(text) as { log: { entries: { response: { httpVersion: string } }[] } }).log;
  expect(entries).toHaveLength(log.events.filter(({ kind }) => kind === 'request').length);
  expect(entries.some(({ response }) => response.httpVersion !== 'unknown')).toBe(true);
});

test('the shared address carries MPD, rule and preset, and no secret', async ({ open }) => {
  const { page } = await open({
    mpd: '/media/demo/manifest.mpd',
    rule: 'dashjs-bola',
    preset: 'as-shipped',
    autoplay: false,
  });
  const shared = await page.locator('#share-url').textContent();
  const query = new URL(shared!.startsWith('http') ? shared! : `http://${shared!}`).searchParams;
  expect(query.get('mpd')).toContain('/media/demo/manifest.mpd');
  expect(query.get('rule')).toBe('dashjs-bola');
  expect(query.get('preset')).toBe('as-shipped');
});

test('the log of a stopped session is valid and names what ran', async ({ open }) => {
  const { page, playing, stop } = await open({ mpd: '/media/demo/manifest.mpd', rule: 'dashjs-bola' });
  await playing();
  await page.waitForTimeout(2000);
  const log = await stop();
  expect(readSession(JSON.stringify(log)).ok).toBe(true);
  expect(log.environment).toMatchObject({
    rule: 'dashjs-bola',
    preset: 'experiment',
    dashjsVersion: '5.2.1',
  });
});

test('what is done ahead of the first start leaves nothing: no session, no word, no request in the log', async ({
  open,
}) => {
  const said: string[] = [];
  const { page, playing, stop } = await open({
    mpd: '/media/demo/manifest.mpd',
    autoplay: false,
    beforeLoad: async (tab) => {
      // The test origin describes itself nowhere, which the browser tells as a failed load.
      tab.on('console', (message) => {
        if (!message.text().startsWith('Failed to load resource')) said.push(message.text());
      });
      tab.on('pageerror', (fault) => void said.push(String(fault)));
      await tab.addInitScript(() => {
        const original = document.createElement.bind(document);
        document.createElement = ((name: string) => {
          if (name === 'video') document.documentElement.dataset['ahead'] = 'yes';
          return original(name);
        }) as typeof document.createElement;
      });
    },
  });
  await expect(page.locator('html')).toHaveAttribute('data-ahead', 'yes');
  await page.waitForTimeout(1500);
  expect(said).toEqual([]);
  await expect(page.getByRole('alert')).toBeHidden();
  await page.click('#start');
  await playing();
  const log = await stop();
  const asked = log.events.flatMap((event) => (event.kind === 'request' ? [event.url] : []));
  expect(asked.filter((url) => url.startsWith('data:'))).toEqual([]);
  expect(await page.evaluate(storedSessions)).toBe(1);
});

/** Runs in the page. */
function storedSessions(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open('pitwall');
    opened.onerror = () => reject(new Error(String(opened.error)));
    opened.onsuccess = () => {
      const count = opened.result.transaction('sessions').objectStore('sessions').count();
      count.onsuccess = () => resolve(count.result);
    };
  });
}
