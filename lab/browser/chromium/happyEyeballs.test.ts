import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserFacts } from '../browser.ts';
import type { Origin } from '../../caddy/origin.ts';
import { startCaddy } from '../../caddy/startCaddy.ts';
import { requireTool, tools } from '../../tools.ts';
import { launchChromium } from './launchChromium.ts';
import { modes } from './modes.ts';
import { readNetLogFile } from './readNetLogFile.ts';
import { watchDevTools } from './watchDevTools.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const isSetUp = existsSync(path.join(root, '.pitwall', 'tools.json'));
/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
const missing = isSetUp ? (tools().missing['chromium'] ?? tools().missing['caddy'] ?? null) : 'no set-up';
const needsBrowser = describe.skipIf(missing !== null && process.env['CI'] !== 'true');
const HOST = 'origin.test';
const ON = '--enable-features=HappyEyeballsV3';

// What the page and DevTools say of each request is held against the races that the NetLog reader finds.
needsBrowser(`Chromium's HappyEyeballsV3 (${missing ?? 'this machine can'})`, () => {
  let folder = '';
  let origin: Origin | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-eyeballs-'));
    for (const name of ['index.html', 'file.json']) await writeFile(path.join(folder, name), '{}');
    origin = await startCaddy({ host: HOST, mounts: { '/media': folder }, appFolder: folder });
  });
  afterAll(async () => {
    await origin?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['h1', ['main-alone']],
    ['h2', ['main-alone']],
    ['h3-racing', ['main-alone', 'main-won', 'alternative-reused']],
    ['h3-only', ['quic-forced']],
  ])(
    '%s: every request has the race that its protocol shows',
    { timeout: 60_000 },
    async (mode, outcomes) => {
      const { facts, answers } = await play({
        mode,
        origin: origin!,
        netLogFile: path.join(folder, `${mode}.json`),
      });
      const found = answers.map(({ url, protocol, connectionId }) => {
        const race = facts.requests.find((each) => each.url === url)?.races.at(-1);
        return { protocol, outcome: race?.outcome, isSame: String(race?.connectionId) === connectionId };
      });
      console.log(`${mode}: ${found.map((each) => `${each.outcome} ${each.protocol}`).join(', ')}`);
      expect(found.length).toBe(REQUESTS);
      expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(outcomes));
      for (const { protocol, outcome } of found)
        expect(outcome).toMatch(protocol === 'h3' ? /^(alternative|quic)-/ : /^main-/);
      expect(found.filter(({ isSame }) => !isSame)).toEqual([]);
    },
  );

  it('the handshake of a preconnect is the race of its first request', { timeout: 60_000 }, async () => {
    const about = { mode: 'h3-racing', origin: origin!, profileDir: path.join(folder, 'profile') };
    await play({ ...about, netLogFile: path.join(folder, 'learns.json') });
    const netLogFile = path.join(folder, 'preconnects.json');
    const { facts, answers } = await play({ ...about, netLogFile, isPreconnecting: true });
    expect(new Set(answers.map(({ protocol }) => protocol))).toEqual(new Set(['h3']));
    const asked = facts.requests.filter(({ url }) => url.startsWith(origin!.httpsUrl));
    const [first, ...others] = asked.map(({ races }) => races.at(-1)!);
    expect(first).toMatchObject({ outcome: 'alternative-won', cause: 'preconnect' });
    expect(first!.startUnixMs).toBeLessThan(first!.decidedUnixMs!);
    expect(first!.decidedUnixMs).toBeLessThan(asked[0]!.startUnixMs);
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(['alternative-reused']));
    expect(facts.happyEyeballs).toBe(true);
  });
});

const REQUESTS = 8;

interface Playing {
  readonly mode: string;
  readonly origin: Origin;
  readonly netLogFile: string;
  readonly profileDir?: string;
  readonly isPreconnecting?: boolean;
}

/** Runs in the page. */
function preconnect(href: string): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preconnect', crossOrigin: 'anonymous', href }),
  );
}

async function play({ mode, origin, netLogFile, profileDir, isPreconnecting = false }: Playing) {
  const servers = [{ host: HOST, port: origin.httpsPort }];
  const { flags } = modes.find(({ id }) => id === mode)!;
  const browser = await launchChromium({
    executablePath: requireTool('chromium'),
    flags: [...flags({ servers, ownCertificate: true }), ON],
    spkiSha256Base64: origin.spki,
    hostRules: `MAP ${HOST} 127.0.0.1`,
    netLogFile,
    ...(profileDir !== undefined && { profileDir }),
  });
  try {
    const page = browser.context.pages()[0]!;
    const watch = await watchDevTools(page);
    await page.goto(`${origin.httpUrl}/`);
    if (isPreconnecting) {
      await page.evaluate(preconnect, origin.httpsUrl);
      await page.waitForTimeout(500);
    }
    for (let at = 0; at < REQUESTS; at += 1) {
      const url = `${origin.httpsUrl}/media/file.json?${at}`;
      await page.evaluate((asked) => fetch(asked).then((response) => response.text()), url);
      await page.waitForTimeout(150);
    }
    const answers = watch.responses().filter(({ url }) => url.startsWith(origin.httpsUrl));
    return { facts: await close(browser, netLogFile), answers };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function close(browser: { close(): Promise<void> }, netLogFile: string): Promise<BrowserFacts> {
  await browser.close();
  const facts = await readNetLogFile(netLogFile);
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}
