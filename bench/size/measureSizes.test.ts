import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { kindOf, measureSizes } from './measureSizes.ts';

test.each([
  ['assets/dashjs-B1.js', 'dashjs'],
  ['assets/hlsjs-B1.js', 'hlsjs'],
  ['assets/shaka-player.compiled-es2021-B1.js', 'shaka'],
  ['assets/hlsPlayer-B1.js', 'players'],
  ['assets/chartjs-B1.js', 'chartjs'],
  ['assets/fileReader.worker-B1.js', 'workers'],
  ['assets/nets-B1.js', 'nets'],
  ['assets/openCompare-B1.js', 'compare'],
  ['assets/measureLog-B1.js', 'compare'],
  ['assets/readRaces-B1.js', 'files'],
  ['assets/compare-B1.css', 'compare'],
  ['assets/exportItems-B1.js', 'exports'],
  ['session.html', 'sessionPage'],
  ['assets/checkStream-B1.js', 'check'],
  ['assets/openFiles-B1.js', 'files'],
  ['assets/recordings-B1.js', 'files'],
  ['assets/steering-B1.js', 'steering'],
  ['assets/splitLoader-B1.js', 'split'],
  ['assets/openTransfer-B1.js', 'transfer'],
  ['assets/followRaces-B1.js', 'races'],
  ['assets/index-B1.js', 'scripts'],
  ['assets/lane-B1.js', 'scripts'],
  ['assets/index-B1.css', 'styles'],
  ['index.html', 'pages'],
  ['assets/index-B1.js.map', null],
  ['assets/fileReader.worker-B1.js.map', null],
  ['favicon.svg', null],
])('%s is %s', (file, kind) => expect(kindOf(file)).toBe(kind));

test('files are measured compressed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-size-'));
  try {
    mkdirSync(path.join(folder, 'assets'));
    writeFileSync(path.join(folder, 'assets', 'index-B1.js'), 'const lap = 1;\n'.repeat(1000));
    writeFileSync(path.join(folder, 'assets', 'index-B1.js.map'), '{}');
    const [script, ...rest] = measureSizes(folder);
    expect(rest).toEqual([]);
    expect(script).toMatchObject({ kind: 'scripts', sizeBytes: 15_000 });
    expect(script!.brotliBytes).toBeLessThan(100);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
