import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, test } from 'vitest';
import { findDashBuild, isDashBuild, textOfBuild, versionIn } from './dashBuild.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-dash-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const find = (text: string) => findDashBuild(text, { folder, cacheFolder: path.join(folder, 'cache') });

/** As webpack writes `core/Version.js`. */
const source = (version: string): string =>
  `r(t),n.d(t,{getVersionString:function(){return i}});const r="${version}";function i(){return r}export{x as MediaPlayer};`;

function packageIn(name: string, about: object, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(about), ...files })) {
    mkdirSync(path.dirname(path.join(folder, name, file)), { recursive: true });
    writeFileSync(path.join(folder, name, file), text);
  }
}

packageIn(
  'package',
  { name: 'dashjs', exports: { '.': { import: './dist/a.js' } } },
  { 'dist/a.js': source('5.1.0') },
);
packageIn('unbuilt', { name: 'dashjs' }, {});
packageIn('other', { name: 'hls.js' }, {});
writeFileSync(path.join(folder, 'old.js'), source('4.7.4'));
writeFileSync(path.join(folder, 'none.js'), 'const x = 1;');
spawnSync('tar', ['-czf', 'dashjs.tgz', 'package'], { cwd: folder });

test('a folder, its file and its tarball are the same build', async () => {
  const builds = await Promise.all(['package', 'package/dist/a.js', 'dashjs.tgz'].map(find));
  expect(builds.map(({ version, isModule }) => [version, isModule])).toEqual(Array(3).fill(['5.1.0', true]));
  expect(new Set(builds.map(({ sha256 }) => sha256)).size).toBe(1);
});

it.each([
  ['old.js', 'old.js: It is dash.js 4.7.4; the page needs 5.0 or newer.'],
  ['dashjs@4.7.4', 'dashjs@4.7.4: It is dash.js 4.7.4; the page needs 5.0 or newer.'],
  ['dashjs@latest', 'dashjs@latest: Name one version, as in dashjs@5.2.1.'],
  ['none.js', 'none.js: It is no build of dash.js: no version stands in it.'],
  ['nowhere.tgz', 'nowhere.tgz: There is no such file or folder.'],
  ['other', 'other: It is the package hls.js, not dashjs.'],
  [
    'unbuilt',
    `unbuilt: ${path.join('dist/modern/esm/dash.all.min.js')} is missing: build dash.js first, or name its file.`,
  ],
])('%s is one sentence', async (text, sentence) => {
  await expect(find(text)).rejects.toThrow(sentence);
});

test('the version of a build that is not minified', () => {
  expect(versionIn("const VERSION = '5.2.1';\nfunction getVersionString() {\n  return VERSION;\n}")).toBe(
    '5.2.1',
  );
});

test('what can only be a build of dash.js', () => {
  const texts = ['dashjs@5.0.3', 'a.tgz', 'b/dash.all.min.js', 'package', 'bola', 'dashjs-bola', 'cache'];
  expect(texts.map((text) => isDashBuild(text, folder))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a version that there is not: the reason is that of npm', async () => {
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  const lines = [
    'npm error code ETARGET',
    'npm error notarget No matching version found for dashjs@5.99.0.',
    'npm error A complete log of this run can be found in: x.log',
  ];
  writeFileSync(
    path.join(programs, 'npm'),
    `#!/bin/sh\n${lines.map((line) => `echo '${line}' >&2\n`).join('')}exit 1\n`,
    { mode: 0o755 },
  );
  const before = process.env['PATH'];
  process.env['PATH'] = `${programs}${path.delimiter}${before}`;
  try {
    await expect(find('dashjs@5.99.0')).rejects.toThrow(
      /^dashjs@5\.99\.0: npm failed: No matching version found for dashjs@5\.99\.0\.$/,
    );
  } finally {
    process.env['PATH'] = before;
  }
});

test('a build that is written anew after it was found is refused: its page would be kept under the name of the other', async () => {
  const file = path.join(folder, 'watched.js');
  writeFileSync(file, source('5.1.0'));
  const build = await find('watched.js');
  expect(await textOfBuild(build)).toBe(source('5.1.0'));
  writeFileSync(file, source('5.2.0'));
  await expect(textOfBuild(build)).rejects.toThrow('watched.js: This build of dash.js was written anew');
});
