import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepEvidence } from '../../experiment/session/keepEvidence.ts';
import { sessionFiles } from '../../experiment/session/sessionFiles.ts';
import { watchSources, type TransportSources } from '../../experiment/session/watchSources.ts';
import { launchChromium } from '../../lab/browser/chromium/launchChromium.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { requireTool } from '../../lab/tools.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import { killRenderer } from '../fixtures/processes.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

let folder = '';
test.beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'pitwall-evidence-'))));
test.afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const files = () => sessionFiles(path.join(folder, 'sessions'), 'a');
const profileDir = () => path.join(folder, 'profile');

async function played(open: (options: SessionOptions) => Promise<OpenSession>) {
  let sources: TransportSources | null = null;
  await mkdir(path.dirname(files().log));
  const session = await open({
    mpd: '/media/test/template/manifest.mpd',
    profileDir: profileDir(),
    netLogFile: files().netLog,
    beforeLoad: async (page) =>
      void (sources = await watchSources(page, { plan: { devTools: true }, cell: {} })),
  });
  await session.playing();
  await session.page.evaluate(() => console.warn('seen at https://a.test/?token=secret'));
  await session.page.waitForTimeout(2500);
  return { session, sources: sources! };
}

/** What `recordSession` does when a session fails. Answers how often a browser had to be opened once more. */
async function keep({ session, sources }: Awaited<ReturnType<typeof played>>, origin: Origin) {
  let reopened = 0;
  const faults = await keepEvidence(files(), {
    browser: labBrowser,
    page: session.page,
    sources,
    keepNetLog: false,
    close: () => session.close(),
    reopen: () => {
      reopened += 1;
      return launchChromium({
        executablePath: requireTool('chromium'),
        spkiSha256Base64: origin.spki,
        hostRules: `MAP ${origin.host} 127.0.0.1`,
        flags: [`--unsafely-treat-insecure-origin-as-secure=${origin.httpUrl}`],
        profileDir: profileDir(),
      });
    },
  });
  expect(faults).toEqual([]);
  return reopened;
}

async function expectEvidence(): Promise<void> {
  expect((await readdir(path.dirname(files().log))).sort()).toEqual([
    'a.console.jsonl',
    'a.netlog-tail.jsonl',
    'a.partial.json',
  ]);
  const log = readSession(await readFile(files().partial, 'utf8'));
  if (!log.ok) throw new Error(log.error);
  const of = (kind: string) => log.value.events.filter((event) => event.kind === kind);
  expect(of('request').length).toBeGreaterThan(2);
  const reported = of('transport').map((event) => event.kind === 'transport' && event.source);
  expect([...new Set(reported)].sort()).toEqual(['devtools', 'netlog']);
  expect((await readFile(files().netLogTail, 'utf8')).split('\n').length).toBeGreaterThan(20);
}

const readConsole = (): Promise<string> => readFile(files().console, 'utf8');

test('of a page that lives: its log as it stands, what it said, the end of its NetLog', async ({
  open,
  origin,
}) => {
  expect(await keep(await played(open), origin)).toBe(0);
  await expectEvidence();
  expect(await readConsole()).toContain('"level":"warning","text":"seen at https://a.test/?token=*"');
});

test('of a page that crashed: what it had stored', async ({ open, origin }) => {
  const parts = await played(open);
  await killRenderer(parts.session);
  expect(await keep(parts, origin)).toBe(1);
  await expectEvidence();
  expect(await readConsole()).toContain('"kind":"crash"');
});

test('of a browser that was killed: what its profile holds', async ({ open, origin }) => {
  const parts = await played(open);
  const socket = await readlink(path.join(profileDir(), 'SingletonSocket'));
  const browser = await parts.session.chromium.context.newCDPSession(parts.session.page);
  await browser.send('Browser.crash' as 'Browser.close').catch(() => undefined);
  expect(await keep(parts, origin)).toBe(1);
  await expectEvidence();
  // It had no time to clear the folder of its socket away, and only its profile says which one that was.
  await rm(path.dirname(socket), { recursive: true });
});
