import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from '@playwright/test';
import { findAxeFaults } from '../fixtures/findAxeFaults.ts';
import { hostileSessions } from '../fixtures/hostileSessions.ts';
import { expect, test } from '../fixtures/test.ts';
import { tools } from '../../lab/tools.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));
const pitwall = (...args: string[]) =>
  run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 });

let folder = '';
let browser: Browser;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pitwall-session-page-'));
  browser = await chromium.launch({ executablePath: tools().chromium! });
});
test.afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a file from the disk, offline. `faults`: all that the console, scripts and requests say against it. */
async function openFromDisk(
  file: string,
  look: { colorScheme?: 'light' | 'dark'; width?: number; height?: number; bypassCSP?: boolean } = {},
): Promise<{ page: Page; faults: string[] }> {
  const { colorScheme = 'light', width = 1440, height = 900, bypassCSP = false } = look;
  const context = await browser.newContext({
    colorScheme,
    bypassCSP,
    offline: true,
    viewport: { width, height },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const address = pathToFileURL(file).href;
  page.on('console', (message) => void faults.push(message.text()));
  page.on('pageerror', (fault) => void faults.push(String(fault)));
  page.on('dialog', (dialog) => void faults.push(dialog.message()));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !/^(data|blob):/.test(url)) faults.push(url);
  });
  await page.goto(address);
  await expect(page.locator('#save-log')).toBeEnabled();
  return { page, faults };
}

test('a session as one page: from the menu to the disk, and its log out of it again', async ({ open }) => {
  const { page } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  const recorded = gunzipSync(await readFile(path.join(root, 'public/sessions/stall.json.gz')));
  await page
    .locator('#file')
    .setInputFiles({ name: 'stall.json', mimeType: 'application/json', buffer: recorded });
  await expect(page).toHaveTitle(/stall\.json/);
  const figures = await page.locator('#figures .big').allTextContents();
  const diagnostics = await page.locator('#diag li p').allTextContents();
  await page.locator('#export-button').click();
  const saved = page.waitForEvent('download');
  await page.locator('#export-page').click();
  const file = path.join(folder, 'stall.html');
  await (await saved).saveAs(file);
  // 330 kB of script and styles, the rest is the log.
  expect((await stat(file)).size).toBeLessThan(400_000 + recorded.length / 4);

  const { page: opened, faults } = await openFromDisk(file);
  expect(await opened.locator('#figures .big').allTextContents()).toEqual(figures);
  expect(await opened.locator('#diag li p').allTextContents()).toEqual(diagnostics);
  await expect(opened.locator('#stack canvas').first()).toBeVisible();
  await opened.locator('#diag button').first().click();
  await expect(opened.locator('#decision h2')).toContainText(/Decision at|Request at/);
  const log = opened.waitForEvent('download');
  await opened.locator('#save-log').click();
  const logFile = path.join(folder, 'log.json');
  await (await log).saveAs(logFile);
  const read = JSON.parse(await readFile(logFile, 'utf8')) as SessionLog;
  expect(read).toEqual(JSON.parse(recorded.toString('utf8')));
  const { stdout } = await pitwall('check', file);
  expect(stdout).toContain('valid');
  expect(faults).toEqual([]);
});

test('the command makes the same page; a hostile log is text in it; axe finds nothing', async () => {
  const hostile = hostileSessions.find(({ name }) => name === 'markup in every text')!;
  const logFile = path.join(folder, 'hostile.json');
  await writeFile(logFile, hostile.text());
  const file = path.join(folder, 'hostile.html');
  await pitwall('export', logFile, '--format', 'page', '--out', file);
  const { page, faults } = await openFromDisk(file);
  await expect(page.locator('#stack canvas').first()).toBeVisible();
  await page.waitForTimeout(500);
  expect(faults).toEqual([]);
  // What a foreign script would need to run: the page's policy refuses it.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.head.append(script);
  });
  expect(await page.evaluate(() => 'inlineRan' in window)).toBe(false);
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 400],
  ] as const) {
    // As high as the page: the time axis sticks to the window's end, over the buttons of a lane.
    const looked = await openFromDisk(file, { colorScheme, width, height: 3200, bypassCSP: true });
    expect(await findAxeFaults(looked.page), `${colorScheme} ${width}`).toEqual([]);
    const sideways = await looked.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
  }
});
