import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { findAxeFaults } from '../fixtures/findAxeFaults.ts';
import { expect, test } from '../fixtures/test.ts';
import { startFiles, type Change } from '../../experiment/doctor/startFiles.testing.ts';
import { testFolder } from '../../lab/content/testStreams.ts';
import { requireTool } from '../../lab/tools.ts';

const STREAM = '/media/test/template/manifest.mpd';
const ALLOWED = { 'access-control-allow-origin': '*', 'timing-allow-origin': '*' };

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pitwall-check-'));
  await cp(path.join(testFolder(requireTool('cacheFolder')), 'template'), folder, { recursive: true });
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ids of the checks that found something, once the check has ended. */
async function findingsIn(page: Page): Promise<string[]> {
  await expect(page.locator('.checked [role=status]')).toContainText(/\d+ requests? in /);
  return page
    .locator('.checked .diag li')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['check'] ?? ''));
}

async function check(page: Page, url: string): Promise<string[]> {
  await page.locator('#mpd').fill(url);
  await page.getByRole('button', { name: 'Check this stream' }).click();
  const found = await findingsIn(page);
  await page.locator('.checked').getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('.checked')).toHaveCount(0);
  return found;
}

test('by keyboard alone: a healthy stream has one note, its protocols, and the command for the rest', async ({
  open,
  origin,
}) => {
  const { page } = await open({ mpd: STREAM, autoplay: false, mode: 'h3-racing' });
  const url = new URL(STREAM, origin.httpsUrl).href;
  const button = page.getByRole('button', { name: 'Check this stream' });
  await expect(page.locator('#mpd')).toHaveValue(url);
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('.checked');
  const before = await dialog.boundingBox();
  // The test origin lets nobody keep its files.
  expect(await findingsIn(page)).toEqual(['uncached-media']);
  await expect(dialog.getByRole('status')).toContainText('1 note.');
  await expect(dialog).toContainText(/origin\.test:\d+: h2(, then h3)?/);
  await expect(dialog).toContainText(`npx pitwall doctor ${url}`);
  // Nothing moved when the answer came.
  expect(await dialog.boundingBox()).toEqual(before);
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('planted faults are named with their fix, and nothing else is', async ({ open }) => {
  const { page } = await open({ mpd: STREAM, autoplay: false });
  const isMedia = (url = ''): boolean => url.endsWith('.m4s') && !url.includes('missing');
  const allow: NonNullable<Change['answer']> = (_, answer) => {
    for (const [name, value] of Object.entries(ALLOWED)) answer.setHeader(name, value);
    return false;
  };
  const plants: readonly [string, Change, readonly string[]][] = [
    ['healthy but for TLS', { answer: allow }, []],
    ['no CORS', {}, ['no-cors']],
    [
      'no Timing-Allow-Origin',
      { answer: (_, answer) => (answer.setHeader('access-control-allow-origin', '*'), false) },
      ['no-timing', 'no-timing'],
    ],
    [
      'no ranges',
      {
        answer: (asked, answer, body) => (
          isMedia(asked.url) && delete asked.headers.range,
          allow(asked, answer, body)
        ),
      },
      ['no-ranges'],
    ],
    [
      'a missing level',
      {
        answer: (asked, answer, body) =>
          allow(asked, answer, body) ||
          (/video-1\//.test(asked.url ?? '') && !!answer.writeHead(404).end('not here')),
      },
      ['missing-files'],
    ],
    [
      'no MPD',
      {
        answer: (asked, answer, body) =>
          allow(asked, answer, body) ||
          (/mpd$/.test(asked.url ?? '') &&
            !!answer.writeHead(200, { 'content-type': 'application/dash+xml' }).end('<a><b></a>')),
      },
      ['unreadable-manifest'],
    ],
    [
      'a codec of nobody, and a name that is markup',
      {
        answer: allow,
        text: (text) =>
          text.replaceAll(/codecs="vp09[^"]*"/g, 'codecs="vp77.&lt;img src=x onerror=alert(1)&gt;"'),
      },
      ['undecodable'],
    ],
  ];
  const alerts: string[] = [];
  page.on('dialog', (dialog) => void alerts.push(dialog.message()));
  for (const [name, change, expected] of plants) {
    const served = await startFiles(folder, change);
    const found = await check(page, `http://127.0.0.1:${served.port}/manifest.mpd`);
    await served.stop();
    expect(found.filter((id) => id !== 'no-tls').sort(), name).toEqual(expected);
  }
  const gone = await startFiles(folder, {});
  await gone.stop();
  expect(await check(page, `http://127.0.0.1:${gone.port}/manifest.mpd`), 'nobody there').toContain(
    'no-answer',
  );
  expect(alerts).toEqual([]);
});

test('what is no address is refused in one sentence; narrow and dark, axe finds nothing', async ({
  open,
}) => {
  const { page } = await open({ mpd: STREAM, autoplay: false });
  await page.setViewportSize({ width: 400, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Change' }).click();
  const url = await page.locator('#mpd').inputValue();
  await page.locator('#mpd').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Check this stream' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /address/ })).toBeVisible();
  await page.locator('#mpd').fill(url);
  await page.getByRole('button', { name: 'Check this stream' }).click();
  expect(await findingsIn(page)).toEqual(['uncached-media']);
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
