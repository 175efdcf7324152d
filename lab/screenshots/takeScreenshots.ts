import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { labBrowser } from '../browser/registry.ts';
import type { Origin } from '../caddy/origin.ts';
import { requireTool } from '../tools.ts';
import { pick } from '../../src/shared/registry.ts';
import { limitNetwork, playEventfully } from './eventfulPlay.ts';
import { looks, photograph, type Look } from './look.ts';
import { COMPARE_PICTURE, LIVE_PICTURE, stampPictures } from './docPictures.ts';
import { pinDecisionAfterStall } from './pinDecision.ts';

interface ScreenshotOptions {
  readonly outDir: string;
  /** Folder of the checkout whose pictures in README and docs are written as well; null: they are not. */
  readonly docsRoot: string | null;
  readonly say: (line: string) => void;
}

/** GitHub shows it on every visit; a page of flat colours fits easily. */
const LARGEST_PICTURE_BYTES = 320_000;
const JOIN_LIMIT_MS = 30_000;

/**
 * Plays the demo over racing h3 through an eventful minute and photographs the live page, a decision, and the same
 * session opened from its file. Everything on the pictures was really played. Resolves to the files written.
 */
export function takeScreenshots(origin: Origin, options: ScreenshotOptions): Promise<string[]> {
  return inChromium(origin, options, (page) => photographAll(page, origin, options));
}

/** Photographs sessions opened from their files; the pictures are named after them. Resolves to the files written. */
export function photographSessions(
  origin: Origin,
  options: Omit<ScreenshotOptions, 'docsRoot'> & { readonly sessionFiles: readonly string[] },
): Promise<string[]> {
  return inChromium(origin, options, async (page) => {
    const files: string[] = [];
    for (const file of options.sessionFiles) {
      await openSession(page, origin, await readFile(file));
      files.push(...(await photographView(page, path.basename(file, '.json'), options)));
    }
    return files;
  });
}

async function inChromium(
  origin: Origin,
  { outDir }: Pick<ScreenshotOptions, 'outDir'>,
  act: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  await mkdir(outDir, { recursive: true });
  const chromium = await labBrowser.launch({
    executablePath: requireTool('chromium'),
    spkiSha256Base64: origin.spki,
    hostRules: null,
    flags: pick(labBrowser.modes, 'h3-racing').flags({
      servers: [{ host: origin.host, port: origin.httpsPort }],
      ownCertificate: true,
    }),
  });
  try {
    return await act(chromium.context.pages()[0] ?? (await chromium.context.newPage()));
  } finally {
    await chromium.close();
  }
}

async function photographAll(page: Page, origin: Origin, options: ScreenshotOptions): Promise<string[]> {
  await play(page, origin, options.say);
  const live = await photographView(page, 'live', options);
  await pinDecisionAfterStall(page);
  const decision = await photographView(page, 'decision', options);
  await page.evaluate(() => globalThis.pitwall!.stop());
  const session = await page.evaluate(() => globalThis.pitwall!.session());
  await openSession(page, origin, Buffer.from(session));
  const opened = await photographView(page, 'opened', options);
  return [...live, ...decision, ...opened, ...(await docPictures(page, origin, options))];
}

async function openSession(page: Page, origin: Origin, buffer: Buffer): Promise<void> {
  await page.goto(`${origin.httpUrl}/`);
  await page.setInputFiles('#file', { name: 'session.json', mimeType: 'application/json', buffer });
  await page.waitForSelector('body[data-state="opened"]');
}

async function play(page: Page, origin: Origin, say: (line: string) => void): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await limitNetwork(devtools, { kbps: 5000, latencyMs: 40 });
  await page.setViewportSize(looks[0]!.viewport);
  const query = new URLSearchParams({
    mpd: `${origin.httpsUrl}/media/demo/manifest.mpd`,
    rule: 'dashjs-dynamic',
    preset: 'experiment',
    autoplay: '1',
  });
  await page.goto(`${origin.httpUrl}/?${query}`);
  await page.waitForFunction(() => globalThis.pitwall?.state().phase === 'playing', null, {
    timeout: JOIN_LIMIT_MS,
  });
  await playEventfully(page, { origin, devtools, say });
}

async function photographView(
  page: Page,
  view: string,
  { outDir, say }: Pick<ScreenshotOptions, 'outDir' | 'say'>,
): Promise<string[]> {
  const files: string[] = [];
  for (const look of looks) {
    const file = path.join(outDir, nameOf(view, look));
    await writeFile(file, await photograph(page, look));
    say(`wrote ${file}`);
    files.push(file);
  }
  return files;
}

/** Writes the pictures of README and docs: the decision view as it was taken, and the recorded sessions side by side. */
async function docPictures(
  page: Page,
  origin: Origin,
  { outDir, docsRoot, say }: ScreenshotOptions,
): Promise<string[]> {
  if (docsRoot === null) return [];
  const pictures = new Map([
    [LIVE_PICTURE, await readFile(path.join(outDir, nameOf('decision', looks[0]!)))],
    [COMPARE_PICTURE, await photographRecorded(page, origin, docsRoot)],
  ]);
  for (const [name, picture] of pictures) {
    if (picture.length > LARGEST_PICTURE_BYTES)
      throw new Error(`${name} has ${picture.length} bytes; at most ${LARGEST_PICTURE_BYTES} are allowed.`);
    await writeFile(path.join(docsRoot, name), picture);
    say(`wrote ${path.join(docsRoot, name)}`);
  }
  stampPictures(docsRoot);
  return Array.from(pictures.keys(), (name) => path.join(docsRoot, name));
}

/** Photographs the compare view with the sessions that come with the page. */
async function photographRecorded(page: Page, origin: Origin, root: string): Promise<Buffer> {
  const files = RECORDED.map((id) => ({
    name: `${id}.json`,
    mimeType: 'application/json',
    buffer: gunzipSync(readFileSync(path.join(root, 'public', 'sessions', `${id}.json.gz`))),
  }));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(looks[0]!.viewport);
  await page.goto(`${origin.httpUrl}/?compare`);
  await page.locator('#compare-files').setInputFiles(files);
  await page.locator('canvas').first().waitFor();
  await page.waitForTimeout(COMPARED_MS);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

const RECORDED = ['race', 'udp-limiter', 'stall'];
/** Three sessions are measured and drawn within it. */
const COMPARED_MS = 5000;

const nameOf = (view: string, { id }: Look): string => `${view}-${id}.png`;
