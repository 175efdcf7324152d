import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cachedFolder, cachedPath } from './cachedFolder.ts';

const HOUR_MS = 3_600_000;
let cache = '';
beforeEach(() => void (cache = mkdtempSync(join(tmpdir(), 'pitwall-cache-'))));
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const make = (recipe: unknown) =>
  cachedFolder(cachedPath(cache, 'film', recipe), (folder) =>
    Promise.resolve(writeFileSync(join(folder, 'manifest.mpd'), '')),
  );
const entries = (): string[] => readdirSync(join(cache, 'content')).sort();

function lyingThere(name: string, ageHours: number): void {
  const folder = join(cache, 'content', name);
  mkdirSync(folder, { recursive: true });
  const then = new Date(Date.now() - ageHours * HOUR_MS);
  utimesSync(folder, then, then);
}

test('a folder is made once', async () => {
  expect([await make(1), await make(1)]).toEqual([{ wasMade: true }, { wasMade: false }]);
  expect(entries()).toEqual([cachedPath('', 'film', 1).split('/')[1]]);
});

test('what failed leaves nothing', async () => {
  const path = cachedPath(cache, 'film', 1);
  await expect(cachedFolder(path, () => Promise.reject(new Error('no ffmpeg')))).rejects.toThrow('no ffmpeg');
  expect(entries()).toEqual([]);
});

test('what is old goes, of the same name only: versions after a month, what was being made after a day', async () => {
  const own = cachedPath('', 'film', 1).split('/')[1]!;
  const [month, day] = [31 * 24, 25];
  lyingThere('film-000000000001', month);
  lyingThere('film-000000000002', day);
  lyingThere('film-000000000003.making-abcdef', day);
  lyingThere('film-000000000004.making-abcdef', 1);
  lyingThere(`${own}.making-abcdef`, day);
  lyingThere('other-000000000001', month);
  lyingThere('other-000000000001.making-abcdef', day);
  await make(1);
  expect(entries()).toEqual(
    [
      'film-000000000002',
      'film-000000000004.making-abcdef',
      own,
      'other-000000000001',
      'other-000000000001.making-abcdef',
    ].sort(),
  );
});

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'what %s cuts off leaves nothing, also where several are made',
  async (signal) => {
    const bundle = join(cache, 'bundle');
    await build({
      configFile: false,
      logLevel: 'silent',
      build: { ssr: 'lab/content/cachedFolder.ts', outDir: bundle, target: 'node20' },
    });
    const script = `
      const { cachedFolder } = await import(${JSON.stringify(pathToFileURL(join(bundle, 'cachedFolder.js')).href)});
      const parent = ${JSON.stringify(join(cache, 'content'))};
      let begun = 0;
      const make = () => ((begun += 1) === 2 && console.log('begun'), new Promise((resolve) => setTimeout(resolve, 60_000)));
      await Promise.all(['a-000000000001', 'b-000000000001'].map((name) => cachedFolder(parent + '/' + name, make)));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(entries()).toHaveLength(2);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(entries()).toEqual([]);
  },
);
