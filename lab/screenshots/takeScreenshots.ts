import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { labBrowser } from '../browser/registry.ts';
import type { Origin } from '../caddy/origin.ts';
import { requireTool } from '../tools.ts';
import { pick } from '../../src/shared/registry.ts';
import { limitNetwork, playEventfully } from './eventfulPlay.ts';
import { looks, photograph, type Look } from './look.ts';
import { pinDecisionAfterStall } from './pinDecision.ts';

interface ScreenshotOptions {
  readonly outDir: string;
  /** File to which the wide, light decision view is written as well, for the README; null: it is not. */
  readonly readmeFile: string | null;
  readonly say: (line: string) => void;
}

/** GitHub shows it on every visit; a page of flat colours fits easily. */
const LARGEST_README_BYTES = 300_000;
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
  options: Omit<ScreenshotOptions, 'readmeFile'> & { readonly sessionFiles: readonly string[] },
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
  return [...live, ...decision, ...opened, ...(await readmePicture(options))];
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

async function readmePicture({ outDir, readmeFile, say }: ScreenshotOptions): Promise<string[]> {
  if (readmeFile === null) return [];
  const picture = await readFile(path.join(outDir, nameOf('decision', looks[0]!)));
  if (picture.length > LARGEST_README_BYTES)
    throw new Error(
      `The picture for the README has ${picture.length} bytes; at most ${LARGEST_README_BYTES} are allowed.`,
    );
  await writeFile(readmeFile, picture);
  say(`wrote ${readmeFile}`);
  return [readmeFile];
}

const nameOf = (view: string, { id }: Look): string => `${view}-${id}.png`;
