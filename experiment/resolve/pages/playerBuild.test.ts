import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it, test } from 'vitest';
import { libraries } from './libraries.ts';
import { findPlayerBuild, isPlayerBuild } from './playerBuild.ts';
import { paxHeader, tarballOf, tarOf, type TarEntry } from './tarball.testing.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-dash-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const find = (text: string) => findPlayerBuild(text, { folder, cacheFolder: path.join(folder, 'cache') });

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
packageIn('other', { name: 'video.js' }, {});
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
  ['hls.js@^1.7.0', 'hls.js@^1.7.0: Name one version, as in hls.js@1.7.4.'],
  ['hls.js@1.6.13', 'hls.js@1.6.13: It is hls.js 1.6.13; the page needs 1.7 or newer.'],
  ['shaka-player@4.16.0', 'shaka-player@4.16.0: It is Shaka 4.16.0; the page needs 5.0 or newer.'],
  ['none.js', 'none.js: It is no build of dash.js, hls.js or Shaka: no version of theirs stands in it.'],
  ['nowhere.tgz', 'nowhere.tgz: There is no such file or folder.'],
  ['other', 'other: It is the package video.js, and none of dash.js, hls.js or Shaka.'],
  [
    'unbuilt',
    `unbuilt: ${path.join('dist/modern/esm/dash.all.min.js')} is missing: build dash.js first, or name its file.`,
  ],
])('%s is one sentence', async (text, sentence) => {
  await expect(find(text)).rejects.toThrow(sentence);
});

test('the version of a build that is not minified', () => {
  expect(
    libraries[0]!.versionIn(
      "const VERSION = '5.2.1';\nfunction getVersionString() {\n  return VERSION;\n}\nexport { MediaPlayer };",
    ),
  ).toBe('5.2.1');
});

test('what can only be a build of a player', () => {
  const texts = ['dashjs@5.0.3', 'a.tgz', 'b/dash.all.min.js', 'package', 'bola', 'dashjs-bola', 'cache'];
  expect(texts.map((text) => isPlayerBuild(text, folder))).toEqual([
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

const installed = path.join(import.meta.dirname, '../../../node_modules');
const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(path.join(installed, name, 'package.json'), 'utf8')) as { version: string })
    .version;

test.each([
  ['dashjs', 'dashjs', ['dist/modern/umd/dash.all.min.js', 'dist/modern/esm/dash.all.debug.js']],
  ['hls.js', 'hlsjs', ['dist/hls.js', 'dist/hls.min.js', 'dist/hls.min.mjs', 'dist/hls.light.min.js']],
  ['shaka-player', 'shaka', ['dist/shaka-player.compiled.js', 'dist/shaka-player.compiled-es2021.debug.js']],
])('the installed %s is found as a package and by each of its files', async (name, player, files) => {
  for (const text of [name, ...files.map((file) => `${name}/${file}`)]) {
    const { library, version, isModule } = await findPlayerBuild(text, {
      folder: installed,
      cacheFolder: folder,
    });
    expect([library.id, version.replace('-debug', '')], text).toEqual([player, versionOf(name)]);
    expect(isModule, text).toBe(/\.mjs$|modern.esm|^dashjs$|^hls\.js$/.test(text));
  }
});

test('a build stays what it was when it was found', async () => {
  const file = path.join(folder, 'watched.js');
  writeFileSync(file, source('5.1.0'));
  const build = await find('watched.js');
  writeFileSync(file, source('5.2.0'));
  expect(build).toMatchObject({ source: source('5.1.0'), version: '5.1.0' });
});

const about = (exports: unknown): string => JSON.stringify({ name: 'dashjs', exports });

test.each<[string, unknown]>([
  ['a condition', { '.': { import: './d.js' } }],
  ['conditions in a condition', { '.': { import: { types: './index.d.ts', default: './d.js' } } }],
  ['the main path alone', { '.': './d.js' }],
  ['conditions alone', { types: './index.d.ts', import: './d.js' }],
  ['a text', './d.js'],
  ['a path that is not tidy', { '.': { import: './a/../d.js' } }],
  ['no dot before it', { '.': { default: 'd.js' } }],
  ['others before it', { './mss': { import: './mss.js' }, '.': { require: './d.cjs', default: './d.js' } }],
])('exports with %s name the build', async (name, exports) => {
  const files = { 'package.json': about(exports), 'd.js': source('5.1.0') };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, file), text);
  }
  writeFileSync(
    path.join(folder, `${name}.tgz`),
    tarballOf(Object.entries(files).map(([file, data]) => ({ name: `package/${file}`, data }))),
  );
  for (const text of [name, `${name}.tgz`]) expect((await find(text)).version, text).toBe('5.1.0');
});

const nested = (depth: number): string => `${'{"import":'.repeat(depth)}"./d.js"${'}'.repeat(depth)}`;

/** What a package may say about itself, and what may lie where it points to. */
const HOSTILE_PACKAGES: readonly [string, string, string][] = [
  [
    'out of the package',
    about({ '.': { import: '../../../../dev/zero' } }),
    'which is not inside of the package.',
  ],
  ['an absolute file', about('/etc/passwd'), 'which is not inside of the package.'],
  ['up after down', about('./a/../../secret.js'), 'which is not inside of the package.'],
  ['backslashes', about('.\\..\\..\\secret.js'), 'which is not inside of the package.'],
  ['NUL', about('./d.js\0.txt'), 'which is not inside of the package.'],
  ['the folder itself', about('.'), 'It is a folder, not a file.'],
  ['a folder', about('./sub'), 'It is a folder, not a file.'],
  ['a pipe', about('./fifo.js'), 'It is no ordinary file.'],
  ['a link to a device', about('./zero.js'), 'zero.js is a link that leaves the package.'],
  ['a link out', about('./out.js'), 'out.js is a link that leaves the package.'],
  [
    'a file in a folder that is a link',
    about('./up/secret.js'),
    'up/secret.js is a link that leaves the package.',
  ],
  ['a broken link', about('./broken.js'), 'broken.js is missing'],
  ['a link to itself', about('./round.js'), 'round.js is missing'],
  ['a large file', about('./large.js'), 'It has more than 64 MiB.'],
  ['a number', about(1), 'dash.all.min.js is missing'],
  ['a list', about([]), 'dash.all.min.js is missing'],
  ['null for exports', about(null), 'dash.all.min.js is missing'],
  [
    '__proto__',
    '{"name":"dashjs","exports":{"__proto__":{"import":"./d.js"}}}',
    'dash.all.min.js is missing',
  ],
  ['depth', `{"name":"dashjs","exports":${nested(40_000)}}`, 'dash.all.min.js is missing'],
  ['null', 'null', 'Its package.json is no JSON object.'],
  ['a list for all', '[]', 'Its package.json is no JSON object.'],
  ['a text for all', '"dashjs"', 'Its package.json is no JSON object.'],
  ['no JSON', '{', 'Its package.json is not valid JSON.'],
  ['nothing', '', 'Its package.json is not valid JSON.'],
  [
    'an object as name',
    '{"name":{}}',
    'It is a package without a name, and none of dash.js, hls.js or Shaka.',
  ],
  ['a large package.json', `"${'x'.repeat(2 ** 20)}"`, 'package.json: It has more than 1 MiB.'],
];

test.each(HOSTILE_PACKAGES)(
  'a package that names %s is refused in one sentence',
  async (name, json, sentence) => {
    const own = path.join(folder, `package ${name}`);
    mkdirSync(path.join(own, 'sub'), { recursive: true });
    writeFileSync(path.join(folder, 'secret.js'), source('5.1.0'));
    writeFileSync(path.join(own, 'package.json'), json);
    spawnSync('mkfifo', [path.join(own, 'fifo.js')]);
    for (const [link, target] of Object.entries({
      zero: '/dev/zero',
      out: '../secret.js',
      broken: 'none',
      round: 'round.js',
    }))
      symlinkSync(target, path.join(own, `${link}.js`));
    symlinkSync('..', path.join(own, 'up'));
    writeFileSync(path.join(own, 'large.js'), '');
    truncateSync(path.join(own, 'large.js'), 2 ** 31);
    await expect(find(`package ${name}`)).rejects.toThrow(sentence);
    await expect(find(`package ${name}`)).rejects.toThrow(/^package [^\n]*\.$/);
  },
);

test.each(['fifo.js', 'zero.js', 'fifo.tgz', 'zero.tgz'])(
  '%s, named itself, is refused at once',
  async (name) => {
    const file = path.join(folder, name);
    if (name.startsWith('fifo')) spawnSync('mkfifo', [file]);
    else symlinkSync('/dev/zero', file);
    await expect(find(name)).rejects.toThrow(`${name}: It is no ordinary file.`);
  },
);

const described: TarEntry = { name: 'package/package.json', data: about('./d.js') };
const build: TarEntry = { name: 'package/d.js', data: source('5.1.0') };

test.each<[string, readonly TarEntry[]]>([
  ['a plain name', [described, build]],
  ['the file before its description', [build, described]],
  [
    './ before names',
    [
      { ...described, name: './package/package.json' },
      { ...build, name: './package/d.js' },
    ],
  ],
  [
    'a name in an extended header',
    [described, paxHeader('path', 'package/d.js'), { ...build, name: 'short' }],
  ],
  [
    'a long name as GNU writes it',
    [described, { name: 'L', type: 'L', data: 'package/d.js\0' }, { ...build, name: 'short' }],
  ],
  [
    'devices, links and programs beside it',
    [
      ...[described, build],
      { name: 'package/sda', type: '4' },
      { name: 'package/zero', type: '3' },
      { name: 'package/fifo', type: '6' },
      { name: 'package/l', type: '2', linkName: '/etc' },
      { name: 'package/l/escaped', data: 'x' },
      { name: '../../escaped', data: 'x' },
      { name: path.join(folder, 'escaped'), data: 'x' },
      { name: 'package/suid', data: 'x', mode: 0o4755 },
    ],
  ],
  ['an older one of the same name', [described, { ...build, data: source('5.0.0') }, build]],
])('a tarball with %s has its build, and nothing is unpacked', async (name, entries) => {
  const file = `${name.replaceAll('/', '')}.tgz`;
  writeFileSync(path.join(folder, file), tarballOf(entries));
  const before = readdirSync(folder);
  expect(await find(file)).toMatchObject({ version: '5.1.0', source: source('5.1.0') });
  expect(readdirSync(folder)).toEqual(before);
  expect(existsSync(path.join(folder, '../escaped'))).toBe(false);
});

test.each<[string, Buffer, string]>([
  [
    'a link as build',
    tarballOf([described, { ...build, type: '2', linkName: '/etc/passwd', data: '' }]),
    'd.js in it is no ordinary file.',
  ],
  [
    'a hard link as build',
    tarballOf([described, { ...build, type: '1', linkName: '/etc/passwd', data: '' }]),
    'd.js in it is no ordinary file.',
  ],
  [
    'a device as build',
    tarballOf([described, { ...build, type: '3', data: '' }]),
    'd.js in it is no ordinary file.',
  ],
  [
    'a pipe as build',
    tarballOf([described, { ...build, type: '6', data: '' }]),
    'd.js in it is no ordinary file.',
  ],
  [
    'a folder as build',
    tarballOf([described, { ...build, type: '5', data: '' }]),
    'd.js in it is no ordinary file.',
  ],
  [
    'a link as package.json',
    tarballOf([{ ...described, type: '2', linkName: '/etc/passwd', data: '' }]),
    'package.json in it is no ordinary file.',
  ],
  [
    'exports out of it',
    tarballOf([{ ...described, data: about('../../x.js') }]),
    'which is not inside of the package.',
  ],
  ['no build', tarballOf([described]), 'd.js is missing'],
  ['nothing', tarballOf([]), 'It has no package.json'],
  [
    'a large file',
    tarballOf([described, { ...build, data: Buffer.alloc(2 ** 26 + 1) }]),
    'd.js in it has more than 64 MiB.',
  ],
  ['a size below 0', tarballOf([{ ...build, size: '-0000000001\0' }]), 'a size in it cannot be read.'],
  [
    'a size in binary',
    tarballOf([{ ...build, size: '\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff' }]),
    'a size in it cannot be read.',
  ],
  [
    'a header that lies',
    tarballOf([{ ...paxHeader('path', 'x'), data: '99 path=x\n' }, build]),
    'one of its headers cannot be read.',
  ],
  [
    'a header without a length',
    tarballOf([{ ...paxHeader('path', 'x'), data: 'path=x\n' }, build]),
    'one of its headers cannot be read.',
  ],
  [
    'a large header',
    tarballOf([{ name: 'L', type: 'L', data: Buffer.alloc(2 ** 20 + 1) }]),
    'one of its headers is too large.',
  ],
  ['an end too early', gzipSync(Buffer.alloc(0)), 'It has no package.json'],
  ['half a file', gzipSync(tarOf([build]).subarray(0, 540)), 'it ends in the middle of a file.'],
  ['no gzip', Buffer.from('not packed'), 'It cannot be unpacked: incorrect header check.'],
  ['no tar', gzipSync(Buffer.alloc(1024, 'x')), 'it is no tar archive.'],
  [
    'half a gzip',
    tarballOf([described, build]).subarray(0, 60),
    'It cannot be unpacked: unexpected end of file.',
  ],
])('a tarball with %s is refused in one sentence', async (name, bytes, sentence) => {
  writeFileSync(path.join(folder, `${name}.tgz`), bytes);
  await expect(find(`${name}.tgz`)).rejects.toThrow(sentence);
  await expect(find(`${name}.tgz`)).rejects.toThrow(new RegExp(`^${name}\\.tgz: [^\\n]*\\.$`));
});

test('a tarball that unpacks to more than 512 MiB is refused', async () => {
  // Members of a gzip file follow each other: 550 times the same file of 1 MiB, in 0.6 MB.
  const member = gzipSync(tarOf([{ name: 'package/zeros', data: Buffer.alloc(2 ** 20) }]));
  writeFileSync(path.join(folder, 'bomb.tgz'), Buffer.concat(Array<Buffer>(550).fill(member)));
  await expect(find('bomb.tgz')).rejects.toThrow(
    'bomb.tgz: It cannot be unpacked: it has more than 512 MiB unpacked.',
  );
});
