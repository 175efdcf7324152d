import type { Page } from '@playwright/test';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { answersOf, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

/** Opens the form's advanced part, fills it in and starts. */
async function startWith(page: Page, fill: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: 'Advanced settings' }).click();
  await fill();
  await page.locator('#start').click();
}

/** Everything that may leave the page: the log, and the link to this set-up. */
async function leavingOf(page: Page, log: object): Promise<string> {
  return [JSON.stringify(log), await page.locator('#share-url').textContent(), page.url()].join('\n');
}

test('a header for an origin goes with every request to it, and into neither log nor link', async ({
  open,
  ownOrigin: origin,
}) => {
  const prefix = '/media/test/template/';
  const { page, playing, stop } = await open({ mpd: `${prefix}manifest.mpd`, origin, autoplay: false });
  await startWith(page, async () => {
    await page.locator('.origin-address').fill(origin.httpsUrl);
    await page.getByLabel('Request headers, one per line').fill('X-Lap-Token: not-for-the-log');
  });
  await playing();
  await page.waitForTimeout(3000);
  const log = await stop();
  const answers = answersOf(origin, prefix);
  expect(answers.length).toBe(requestsIn(log, ['manifest', 'init', 'media']).length);
  for (const { requestHeaders } of answers) expect(requestHeaders['x-lap-token']).toBe('not-for-the-log');
  expect(await leavingOf(page, log)).not.toMatch(/not-for-the-log|x-lap-token/i);
});

for (const sendsCookies of [true, false])
  test(`authorization goes to its origin, and cookies ${sendsCookies ? 'too' : 'only when asked'}`, async ({
    open,
    origin,
    ownOrigin,
  }) => {
    // Another port is another origin but the same site: browsers block cookies of other sites by themselves.
    const mediaUrl = ownOrigin.httpUrl;
    const mpd = `${mediaUrl}/with-credentials/media/test/template/manifest.mpd`;
    const session = await open({ mpd, origin, autoplay: false });
    const { page } = session;
    await session.chromium.context.addCookies([
      { name: 'lap', value: 'cookie-of-this-origin', url: mediaUrl },
    ]);
    await startWith(page, async () => {
      await page.locator('.origin-address').fill(mediaUrl);
      await page.getByLabel('Request headers, one per line').fill('Authorization: Bearer not-for-the-log');
      await page.getByLabel('send cookies').setChecked(sendsCookies);
    });
    await session.playing();
    await page.waitForTimeout(3000);
    const log = await session.stop();
    const answers = readAccessLog(ownOrigin.accessLogFile).filter(({ method }) => method !== 'OPTIONS');
    expect(answers.length).toBeGreaterThan(4);
    // Caddy keeps such values out of its own log too, but says that they were there.
    const cookie = sendsCookies ? 'REDACTED' : undefined;
    for (const { requestHeaders } of answers)
      expect([requestHeaders['authorization'], requestHeaders['cookie']]).toEqual(['REDACTED', cookie]);
    expect(await leavingOf(page, log)).not.toMatch(/not-for-the-log|cookie-of-this-origin|Bearer/);
  });

test('headers for another origin stay at home', async ({ open, ownOrigin: origin }) => {
  const prefix = '/media/test/template/';
  const { page, playing, stop } = await open({ mpd: `${prefix}manifest.mpd`, origin, autoplay: false });
  await startWith(page, async () => {
    await page.locator('.origin-address').fill('https://elsewhere.example');
    await page.getByLabel('Request headers, one per line').fill('X-Lap-Token: not-for-the-log');
    await page.getByLabel('send cookies').check();
  });
  await playing();
  await stop();
  const answers = answersOf(origin, prefix);
  expect(answers.length).toBeGreaterThan(2);
  for (const { requestHeaders } of answers) expect(requestHeaders).not.toHaveProperty('x-lap-token');
});

test('CMCD version 2 goes out as headers, and its session id stays out of the log', async ({
  open,
  ownOrigin: origin,
}) => {
  const prefix = '/media/test/template/';
  const { page, playing, stop } = await open({ mpd: `${prefix}manifest.mpd`, origin, autoplay: false });
  await startWith(page, () => page.locator('#cmcd').selectOption('v2-header'));
  await playing();
  await page.waitForTimeout(3000);
  const log = await stop();
  const media = answersOf(origin, prefix).filter(({ uri }) => /\/\w+\.m4s$/.test(uri));
  expect(media.length).toBeGreaterThan(2);
  for (const { requestHeaders, uri } of media) {
    expect(uri).not.toContain('CMCD');
    expect(requestHeaders['cmcd-session']).toMatch(/(^|,)v=2(,|$)/);
    expect(requestHeaders['cmcd-object']).toMatch(/br=/);
  }
  const [, id = ''] = /sid="([^"]+)"/.exec(media[0]!.requestHeaders['cmcd-session']!) ?? [];
  expect(id).not.toBe('');
  const leaving = await leavingOf(page, log);
  expect(leaving).not.toContain(id);
  expect(leaving).toContain('cmcd=v2-header');
});
