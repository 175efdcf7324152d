import type { Page } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { FOREIGN, hostileManifests, type HostileManifest } from '../fixtures/hostileManifests.ts';
import { hostileSessions, type HostileSession } from '../fixtures/hostileSessions.ts';
import { spoiledOrigin } from '../fixtures/misbehave.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/test/template/manifest.mpd';
/** Longest time, in ms, that anything may keep the page from answering. */
const MAX_HANG_MS = 2000;
/** Time, in ms, that a hostile manifest is played. */
const PLAYED_MS = 2500;
/** Counts of cases that a plain run draws; the seed is fixed, so that a red run can be repeated. */
const SAMPLE = { manifests: 3, sessions: 3 };

const random = seededRandom(26);
const full = process.env['PITWALL_FULL'] === '1';

function drawn<Value>(all: readonly Value[], count: number): readonly Value[] {
  if (full) return all;
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** Harm that was done to a page, and the time for which the page did not answer. */
interface Harm {
  readonly dialogs: readonly string[];
  readonly foreign: readonly string[];
  ran(): Promise<boolean>;
  /** Resolves to the longest task of the main thread since the page was opened, in ms. */
  hang(): Promise<number>;
}

async function watch(page: Page): Promise<Harm> {
  const [dialogs, foreign]: string[][] = [[], []];
  page.on('dialog', (dialog) => {
    dialogs!.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (URL.parse(request.url())?.hostname === FOREIGN) foreign!.push(request.url());
  });
  // A request that succeeds with another scheme than these is kept: a page may not make it.
  page.on('requestfinished', (request) => {
    if (!/^(https?|data|blob):/.test(request.url())) foreign!.push(request.url());
  });
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { hostileTasks: tasks });
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
      buffered: true,
    });
  });
  return {
    dialogs: dialogs!,
    foreign: foreign!,
    ran: () => page.evaluate(() => 'owned' in globalThis || document.querySelector('img[src="x"]') !== null),
    hang: () =>
      page.evaluate(() => Math.max(0, ...(globalThis as unknown as { hostileTasks: number[] }).hostileTasks)),
  };
}

async function expectUnharmed(harm: Harm, name: string): Promise<number> {
  expect(harm.dialogs, `${name}: dialogs`).toEqual([]);
  expect(harm.foreign, `${name}: foreign requests`).toEqual([]);
  expect(await harm.ran(), `${name}: a script ran`).toBe(false);
  return Math.round(await harm.hang());
}

/** Prints one line per case, for the report of the run. */
function line(name: string, hangMs: number, what: string): void {
  console.log(
    `  ${name.padEnd(34)} ${String(hangMs).padStart(5)} ms  ${what.replaceAll(/\s+/g, ' ').slice(0, 150)}`,
  );
}

test.describe('hostile manifests', () => {
  test.describe.configure({ timeout: full ? 600_000 : 300_000 });
  test('nothing runs, nothing hangs, and every log is valid', async ({ open, origin }) => {
    const first = await open({ mpd: MPD, origin, autoplay: false });
    for (const hostile of drawn(hostileManifests, SAMPLE.manifests)) {
      // Time that a busy machine takes is not the page's: the shorter of two counts is taken.
      const hangMs = await played(first, hostile, origin);
      const min = hangMs < MAX_HANG_MS ? hangMs : Math.min(hangMs, await played(first, hostile, origin));
      expect.soft(min, `${hostile.name}: longest task, ms`).toBeLessThan(MAX_HANG_MS);
    }
  });

  async function played(
    first: OpenSession,
    { name, body }: HostileManifest,
    origin: Parameters<typeof spoiledOrigin>[0],
  ): Promise<number> {
    const proxy = await spoiledOrigin(origin, (asked, answer) =>
      asked.startsWith(MPD) ? { body: body(answer.toString()) } : null,
    );
    let harm: Harm | null = null;
    const beforeLoad = async (page: Page): Promise<void> => void (harm = await watch(page));
    const session = await first.another({ mpd: `${proxy.url}${MPD}`, beforeLoad });
    try {
      await session.page
        .waitForFunction(() => /failed|ended|playing/.test(window.pitwall?.state().phase ?? ''), null, {
          timeout: PLAYED_MS * 2,
        })
        .catch(() => undefined);
      await session.page.waitForTimeout(PLAYED_MS / 5);
      const { phase, error } = await session.page.evaluate(() => window.pitwall!.state());
      // `stop` throws where the reader of `pitwall check` refuses the log.
      const log = await session.stop();
      const hangMs = await expectUnharmed(harm!, name);
      line(name, hangMs, `${log.events.length} events, ${phase}${error === null ? '' : `: ${error}`}`);
      return hangMs;
    } finally {
      await session.close();
      await proxy.close();
    }
  }
});

test.describe('hostile session files', () => {
  test.describe.configure({ timeout: full ? 600_000 : 300_000 });
  test('nothing runs, nothing hangs, and a refused one is refused in one sentence', async ({
    open,
    origin,
  }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pitwall-hostile-'));
    try {
      const first = await open({ mpd: MPD, origin, autoplay: false });
      for (const hostile of drawn(hostileSessions, SAMPLE.sessions)) {
        const hangMs = await opened(first, hostile, folder);
        const min = hangMs < MAX_HANG_MS ? hangMs : Math.min(hangMs, await opened(first, hostile, folder));
        expect.soft(min, `${hostile.name}: longest task, ms`).toBeLessThan(MAX_HANG_MS);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function opened(
    first: OpenSession,
    { name, text, refused }: HostileSession,
    folder: string,
  ): Promise<number> {
    const file = path.join(folder, 'hostile.json');
    writeFileSync(file, text());
    let harm: Harm | null = null;
    const beforeLoad = async (page: Page): Promise<void> => void (harm = await watch(page));
    const { page, close } = await first.another({ mpd: MPD, autoplay: false, beforeLoad });
    try {
      await page.locator('#file').setInputFiles(file);
      const reported = page.locator(refused ? '#rejected' : '#opened-name');
      await expect(reported, name).toBeVisible({ timeout: 60_000 });
      const sentence = (await reported.textContent()) ?? '';
      if (refused) expect.soft(sentence, name).toMatch(refused);
      // The page gets time to draw charts and panels.
      await page.waitForTimeout(300);
      const hangMs = await expectUnharmed(harm!, name);
      line(name, hangMs, sentence);
      return hangMs;
    } finally {
      await close();
    }
  }
});
