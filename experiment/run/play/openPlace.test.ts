import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPlace } from './openPlace.ts';
import type { CompareCell, ComparePlan, SharedOrigin } from './plan.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-place-'));
afterAll(() => rmSync(folder, { recursive: true }));
const accessLogFile = path.join(folder, 'origin-access.jsonl');

const shared: SharedOrigin = {
  ...{ appUrl: 'http://localhost:1/', httpsPort: 2, spkiSha256Base64: '', accessLogFile },
};
const plan = { shared, programs: { chromium: 'chromium' } } as unknown as ComparePlan;
const cell: CompareCell = {
  ...{ id: 'a-1', rule: 'bola', transport: 'h2', mpd: '/media/a.mpd', link: null, design: null },
};

test('a session on a shared origin has the requests to its own name, from now on', async () => {
  const part = { file: accessLogFile, host: 'a-1.origin.test' };
  expect((await openPlace(plan, cell)).accessLogs).toEqual([{ ...part, fromByte: 0 }]);
  writeFileSync(accessLogFile, '{}\n');
  expect((await openPlace(plan, cell)).accessLogs).toEqual([{ ...part, fromByte: 3 }]);
});

test('of a stream elsewhere there is no log of requests', async () => {
  const place = await openPlace(plan, { ...cell, mpd: 'https://cdn.test/a.mpd' });
  expect(place.accessLogs).toBeUndefined();
});
