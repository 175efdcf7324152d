import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { looks, photograph } from '../../lab/screenshots/look.ts';
import { requireTool } from '../../lab/tools.ts';
import { checkSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.resolve(import.meta.dirname, '../..');
const command = path.join(root, 'bin', 'pitwall');
const ALL = ['manifest', 'init', 'index', 'media', 'other'] as const;

/** A process whose output is waited for. */
interface Started {
  /** Resolves with what a pattern finds in the output. */
  said(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    async said(pattern) {
      for (const endMs = Date.now() + 60_000; Date.now() < endMs;) {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${program} did not say ${String(pattern)}, but: ${text}`);
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the browser by the command that is printed, to which only what a test needs is added. */
async function startBrowser(printed: string, folder: string): Promise<{ page: Page; stop(): Promise<void> }> {
  const typed = printed.replace(
    /^\S+/,
    `exec ${requireTool('chromium')} --headless --remote-debugging-port=0`,
  );
  // Its profile is below TMPDIR.
  const browser = start('bash', ['-c', typed], { TMPDIR: folder });
  const address = await browser.said(/DevTools listening on (ws:\S+)/);
  const connected = await chromium.connectOverCDP(address);
  const [context] = connected.contexts();
  await expect.poll(() => context!.pages().length).toBeGreaterThan(0);
  return {
    page: context!.pages()[0]!,
    async stop() {
      await connected.close();
      await browser.stop();
    },
  };
}

const logOf = (page: Page): Promise<SessionLog> =>
  page.evaluate(() => globalThis.pitwall!.session()).then((text) => JSON.parse(text) as SessionLog);

/** By request, its races as the NetLog has them. */
const racesIn = (log: SessionLog) =>
  new Map(
    eventsOf(log, 'transport').flatMap(({ requestId, source, races, connectionId }) =>
      source === 'netlog' && requestId !== null ? [[requestId, { races, connectionId }] as const] : [],
    ),
  );
const connectionsIn = (log: SessionLog) =>
  eventsOf(log, 'transport')
    .flatMap(({ connection, connectionId }) =>
      connection ? [`${connection.transport} ${connectionId}`] : [],
    )
    .sort();
const endedIn = (log: SessionLog) => requestsIn(log, ALL).filter(({ outcome }) => outcome !== 'in-flight');

test('a browser that is started as serve says shows its races while it plays, as the whole NetLog has them', async ({}, info) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-live-races-'));
  const netLog = path.join(folder, 'net.json');
  const serve = start(process.execPath, [
    command,
    'serve',
    '--port',
    '0',
    '--https-port',
    '0',
    '--netlog',
    netLog,
  ]);
  try {
    const printed = await serve.said(/Start Chromium with:\s+([^\n\\]+(?:\\\n[^\n\\]+)+)\n/);
    const start = await serve.said(/Pitwall is ready: {2}(\S+)/);
    await serve.said(/(The page then shows the races)/);
    const { page, stop } = await startBrowser(printed, folder);
    const lane = page.locator('#lane-racing').getByRole('img');
    await page.locator('#start').click();
    await page.waitForFunction(() => globalThis.pitwall?.state().phase === 'playing');
    // A lane is drawn where it can be seen. Races are drawn, and recorded, while it plays.
    await page.setViewportSize({ width: 1440, height: 1000 });
    await lane.scrollIntoViewIfNeeded();
    await expect(lane).toHaveAttribute('aria-label', /Races: QUIC won \d+, TCP won \d+, /, {
      timeout: 20_000,
    });
    expect(await page.evaluate(() => globalThis.pitwall!.state().phase)).toBe('playing');
    await page.waitForTimeout(6000);
    for (const look of looks) {
      await writeFile(info.outputPath(`live-races-${look.id}.png`), await photograph(page, look));
    }
    await page.evaluate(() => globalThis.pitwall!.pause());
    await expect
      .poll(async () => {
        const log = await logOf(page);
        return endedIn(log).filter(({ id }) => !racesIn(log).has(id)).length;
      })
      .toBe(0);
    await page.evaluate(() => globalThis.pitwall!.stop());
    const log = await logOf(page);
    await expectRefused(start);
    await stop();
    await serve.stop();
    const whole = await readByCommand(folder, { log, netLog });
    expect(checkSession(JSON.parse(JSON.stringify(log)))).toMatchObject({ ok: true });
    expect(new Set(eventsOf(log, 'transport').map(({ id }) => id)).size).toBe(
      eventsOf(log, 'transport').length,
    );
    const live = racesIn(log);
    const causes = [...live.values()].flatMap(({ races }) => races.flatMap(({ cause }) => cause ?? []));
    console.log(
      `${live.size} requests, causes ${causes.join(', ')}, connections ${connectionsIn(log).join(', ')}`,
    );
    expect(live.size).toBeGreaterThan(5);
    expect(causes).toContain('discovery');
    expect(Object.fromEntries([...racesIn(whole)].filter(([id]) => live.has(id)))).toEqual(
      Object.fromEntries(live),
    );
    expect(racesIn(whole).size - live.size).toBeLessThanOrEqual(2);
    expect(connectionsIn(whole)).toEqual(connectionsIn(log));
  } finally {
    await serve.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The same session with the races that `pitwall races` finds in the whole NetLog. */
async function readByCommand(
  folder: string,
  { log, netLog }: { readonly log: SessionLog; readonly netLog: string },
): Promise<SessionLog> {
  const [session, out] = [path.join(folder, 'session.json'), path.join(folder, 'out.json')];
  await writeFile(session, JSON.stringify(log));
  await promisify(execFile)(process.execPath, [command, 'races', session, netLog, '--out', out]);
  return JSON.parse(await readFile(out, 'utf8')) as SessionLog;
}

/** Nobody but the page itself is answered, under none of the paths for media of the same server. */
async function expectRefused(start: string): Promise<void> {
  for (const below of ['races/', 'no-cors/races/', 'with-credentials/races/', 'no-tao/races/'])
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status, headers } = await fetch(`${start}${below}`, {
        method: 'POST',
        headers: { 'sec-fetch-site': site, origin: 'https://evil.example' },
        body: '{}',
      });
      expect([403, 404, 405], `${below} ${site}`).toContain(status);
      if (below === 'races/') expect(headers.get('access-control-allow-origin')).toBeNull();
    }
}
