import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it, test } from 'vitest';
import { openPlace } from './openPlace.ts';
import type { CompareCell, ComparePlan, SharedOrigin } from './plan.ts';
import { SessionFailure } from './sessionFailure.ts';
import { exampleLog } from '../../src/telemetry/exampleLog.testing.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pidFile = path.join(folder, 'pid');

/** In the place of an origin that sessions share. */
let origin = spawn('sleep', ['60']);
beforeEach(() => {
  origin.kill('SIGKILL');
  origin = spawn('sleep', ['60']);
  writeFileSync(pidFile, String(origin.pid));
});
afterAll(() => void origin.kill('SIGKILL'));

const plan = {
  programs: { chromium: '/nowhere/chromium' },
  shared: { appUrl: 'http://localhost:9/', httpsPort: 9, spkiSha256Base64: '', pidFile },
} as unknown as ComparePlan;
const cell = {
  id: 'bola-h2',
  rule: 'bola',
  transport: 'h2',
  mpd: '/media/demo/manifest.mpd',
  link: null,
  design: null,
} as CompareCell;

it.each(['SIGKILL', ...(process.platform === 'linux' ? (['SIGSTOP'] as const) : [])] as const)(
  'the laboratory failed where the shared origin gets %s in the middle of a session',
  async (signal) => {
    const place = await openPlace(plan, cell);
    try {
      origin.kill(signal);
      const failure = await place.brokeDown;
      expect(failure).toBeInstanceOf(SessionFailure);
      expect(failure.failure).toBe('origin-did-not-answer');
      expect(failure.message).toContain(String(origin.pid));
    } finally {
      await place.leave();
    }
  },
);

it('an origin that ends after the session is no failure', async () => {
  const place = await openPlace(plan, cell);
  await place.leave();
  origin.kill('SIGKILL');
  const waited = new Promise((resolve) => setTimeout(() => resolve('nothing'), 700));
  expect(await Promise.race([place.brokeDown, waited])).toBe('nothing');
});

const accessLogFile = path.join(folder, 'origin-access.jsonl');

const shared: SharedOrigin = {
  appUrl: 'http://localhost:1/',
  httpsPort: 2,
  spkiSha256Base64: '',
  accessLogFile,
  pidFile,
};
const logged = { shared, programs: { chromium: 'chromium' } } as unknown as ComparePlan;
const loggedCell: CompareCell = {
  id: 'a-1',
  rule: 'bola',
  transport: 'h2',
  mpd: '/media/a.mpd',
  link: null,
  design: null,
};

test('a session on a shared origin has the requests to its own name, from now on', async () => {
  const part = { file: accessLogFile, host: 'a-1.origin.test' };
  const before = await openPlace(logged, loggedCell);
  writeFileSync(accessLogFile, '{}\n');
  const after = await openPlace(logged, loggedCell);
  expect(before.accessLogs).toEqual([{ ...part, fromByte: 0 }]);
  expect(after.accessLogs).toEqual([{ ...part, fromByte: 3 }]);
  for (const place of [before, after]) await place.leave();
});

test('of a stream elsewhere there is no log of requests', async () => {
  const place = await openPlace(logged, { ...loggedCell, mpd: 'https://cdn.test/a.mpd' });
  expect(place.accessLogs).toBeUndefined();
  await place.leave();
});

const watchedPlan = {
  shared: { appUrl: 'http://localhost:1/', httpsPort: 2, spkiSha256Base64: 'x', pidFile },
  programs: { chromium: '/bin/true' },
  rootPid: process.pid,
  runsFolder: tmpdir(),
} as unknown as ComparePlan;

const cellOf = (mpd: string): CompareCell => ({
  id: 'a',
  rule: 'bola',
  transport: 'h2',
  mpd,
  link: null,
  design: null,
});

test('a certificate elsewhere is accepted where it was named, and our own by its own key', async () => {
  const [own, far] = ['/media/demo/manifest.mpd', 'https://own.example/live.mpd'];
  const spkiOf = async (mpd: string, changes: Partial<ComparePlan> = {}) =>
    (await openPlace({ ...watchedPlan, ...changes }, cellOf(mpd))).browser.spkiSha256Base64;
  expect(await spkiOf(far)).toBeNull();
  expect(await spkiOf(far, { trustedSpki: 'y' })).toBe('y');
  expect(await spkiOf(own, { trustedSpki: 'y' })).toBe('x');
});

test.runIf(existsSync('/proc/stat')).each(['/media/demo/manifest.mpd', 'https://own.example/live.mpd'])(
  'the machine is watched without an emulated link, too: %s',
  async (mpd) => {
    const place = await openPlace(watchedPlan, cellOf(mpd));
    expect(await place.ready()).toBeNull();
    await sleep(200);
    const { machine } = await place.facts(exampleLog());
    expect(machine).toMatchObject({ cores: expect.any(Number) as number, flags: expect.any(Array) as [] });
    await place.leave();
  },
);
