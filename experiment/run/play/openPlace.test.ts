import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPlace } from './openPlace.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { exampleLog } from '../../../src/telemetry/exampleLog.ts';

const plan = {
  shared: { appUrl: 'http://localhost:1/', httpsPort: 2, spkiSha256Base64: 'x' },
  programs: { chromium: '/bin/true' },
  ...{ rootPid: process.pid, runsFolder: tmpdir() },
} as unknown as ComparePlan;

const cellOf = (mpd: string): CompareCell => ({
  ...{ id: 'a', rule: 'bola', transport: 'h2', mpd, link: null, design: null },
});

test('a certificate elsewhere is accepted where it was named, and our own by its own key', async () => {
  const [own, far] = ['/media/demo/manifest.mpd', 'https://own.example/live.mpd'];
  const spkiOf = async (mpd: string, changes: Partial<ComparePlan> = {}) =>
    (await openPlace({ ...plan, ...changes }, cellOf(mpd))).browser.spkiSha256Base64;
  expect(await spkiOf(far)).toBeNull();
  expect(await spkiOf(far, { trustedSpki: 'y' })).toBe('y');
  expect(await spkiOf(own, { trustedSpki: 'y' })).toBe('x');
});

test.runIf(existsSync('/proc/stat')).each(['/media/demo/manifest.mpd', 'https://own.example/live.mpd'])(
  'the machine is watched without an emulated link, too: %s',
  async (mpd) => {
    const place = await openPlace(plan, cellOf(mpd));
    expect(await place.ready()).toBeNull();
    await sleep(200);
    const { machine } = await place.facts(exampleLog());
    expect(machine).toMatchObject({ cores: expect.any(Number) as number, flags: expect.any(Array) as [] });
    await place.leave();
  },
);
