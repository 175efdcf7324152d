import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyPage, hashOfPage } from './pageFiles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-page-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Make = string | Buffer | { readonly link: string } | ((file: string) => void);

/** A page, by what lies at its paths. */
function pageOf(name: string, files: Readonly<Record<string, Make>>): { page: string; folder: string } {
  const own = path.join(folder, name);
  mkdirSync(own, { recursive: true });
  for (const [below, make] of Object.entries(files)) {
    const file = path.join(own, below);
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof make === 'function') make(file);
    else if (typeof make === 'object' && 'link' in make) symlinkSync(make.link, file);
    else writeFileSync(file, make);
  }
  return { page: name, folder: own };
}

const pipe = (file: string): void => void spawnSync('mkfifo', [file]);
const large = (file: string): void => {
  writeFileSync(file, '');
  truncateSync(file, 2 ** 31);
};

/** Folders in folders, each with two links to the next: more paths than anybody reads. */
const many = Object.fromEntries(
  Array.from({ length: 20 }, (_, depth) => [
    [`d${depth}/a`, { link: `../d${depth + 1}` }],
    [`d${depth}/b`, { link: `../d${depth + 1}` }],
  ]).flat() as [string, Make][],
);

test.each<[string, Record<string, Make>, string]>([
  [
    'a folder that is a link out',
    { assets: { link: '../outside' } },
    'assets is a link that leaves the page',
  ],
  [
    'a file that is a link out',
    { 'assets/x.js': { link: '../../outside/x.js' } },
    'assets/x.js is a link that leaves',
  ],
  ['a link to the root', { x: { link: '/' } }, 'x is a link that leaves the page'],
  ['a link to /etc', { 'a/b/etc': { link: '/etc' } }, 'a/b/etc is a link that leaves the page'],
  ['a link to a device', { 'a.js': { link: '/dev/zero' } }, 'a.js is a link that leaves the page'],
  ['a link to the folder above', { up: { link: '..' } }, 'up is a link that leaves the page'],
  [
    'a link over a link',
    { one: { link: '../outside' }, two: { link: 'one' } },
    'is a link that leaves the page',
  ],
  ['a folder of a similar name', { x: { link: '../similar-too' } }, 'x is a link that leaves the page'],
  ['a broken link', { 'a.js': { link: 'nowhere' } }, 'a.js is a link that leads nowhere.'],
  ['two links to each other', { a: { link: 'b' }, b: { link: 'a' } }, 'is a link that leads nowhere.'],
  ['a link to itself', { round: { link: '.' } }, 'round is a link to a folder above it.'],
  ['a link to a folder above', { 'a/b/c': { link: '../..' } }, 'a/b/c is a link to a folder above it.'],
  [
    'folders that lead to each other',
    { 'a/x': { link: '../b' }, 'b/y': { link: '../a' } },
    'is a link to a folder above it.',
  ],
  ['a link to a hidden file', { '.env': 's', shown: { link: '.env' } }, 'shown is a link to a hidden file.'],
  ['a link into a hidden folder', { '.git/a': 's', a: { link: '.git/a' } }, 'a is a link to a hidden file.'],
  ['a pipe', { 'assets/p.js': pipe }, 'assets/p.js is no ordinary file.'],
  ['a link to a pipe', { q: pipe, 'a.js': { link: 'q' } }, 'is no ordinary file.'],
  ['more than 1 GiB', { 'big.mp4': large }, 'big.mp4: It has more than 1024 MiB.'],
  ['links that multiply', { ...many, 'd20/x.js': 'x' }, 'It has more than 10000 files and folders.'],
])('%s is refused in one sentence', async (name, files, sentence) => {
  pageOf('outside', { 'x.js': 'throw new Error("dead")' });
  pageOf('similar-too', { 'x.js': 'x' });
  const page = pageOf(name === 'a folder of a similar name' ? 'similar' : name, {
    ...files,
    'index.html': 'Pitwall',
  });
  const hash = hashOfPage(page);
  await expect(hash).rejects.toThrow(sentence);
  await expect(hash).rejects.toThrow(new RegExp(`^${page.page}: `));
  await expect(copyPage(page, path.join(folder, 'never'), '')).rejects.toThrow(sentence);
});

test('a socket is refused in one sentence', async () => {
  const page = pageOf('with a socket', { 'index.html': 'Pitwall' });
  const server = createServer().listen(path.join(page.folder, 's'));
  try {
    await expect(hashOfPage(page)).rejects.toThrow('with a socket: s is no ordinary file.');
  } finally {
    server.close();
  }
});

test.each<[string, Record<string, Make>, Record<string, Make>]>([
  [
    'a link leads elsewhere',
    { 'one/a.js': '1', 'two/a.js': '2', assets: { link: 'one' } },
    { 'one/a.js': '1', 'two/a.js': '2', assets: { link: 'two' } },
  ],
  [
    'a linked file has another target',
    { 'a.js': '1', 'b.js': '2', 'c.js': { link: 'a.js' } },
    { 'a.js': '1', 'b.js': '2', 'c.js': { link: 'b.js' } },
  ],
  ['a file holds the name of another', { a: 'xb\0\0y' }, { a: 'x', b: 'y' }],
  ['an empty file is there', { a: '' }, { a: '', b: '' }],
  ['a file is called otherwise', { 'a.js': '1' }, { 'b.js': '1' }],
  ['a byte differs', { a: Buffer.from([0xff]) }, { a: Buffer.from([0xfe]) }],
])('two pages have two hashes where %s', async (name, first, second) => {
  const pages = [pageOf(`${name} 1`, first), pageOf(`${name} 2`, second)];
  const [one, two] = await Promise.all(pages.map(hashOfPage));
  expect(one).not.toBe(two);
});

test('a link, and what it leads to in its place, are one page', async () => {
  const linked = pageOf('linked', { 'store/a.js': '1', assets: { link: 'store' } });
  const plain = pageOf('plain', { 'store/a.js': '1', 'assets/a.js': '1' });
  expect(await hashOfPage(linked)).toBe(await hashOfPage(plain));
});

test('the copy has what was hashed, without links, and nothing else', async () => {
  const page = pageOf('copied', {
    'index.html': 'Pitwall',
    'store/a.js': 'a',
    assets: { link: 'store' },
    'b.js': { link: 'store/a.js' },
    '.env': 'secret',
    '.git/config': 'secret',
    'store/.hidden': 'secret',
  });
  const into = path.join(folder, 'copy');
  const sha256 = await hashOfPage(page);
  await copyPage(page, into, sha256);
  const entries = readdirSync(into, { recursive: true, encoding: 'utf8' });
  const files = entries.filter((name) => !lstatSync(path.join(into, name)).isDirectory()).sort();
  expect(files).toEqual(['assets/a.js', 'b.js', 'index.html', 'store/a.js']);
  for (const name of files) expect(lstatSync(path.join(into, name)).isFile(), name).toBe(true);
  expect(readFileSync(path.join(into, 'b.js'), 'utf8')).toBe('a');
  expect(await hashOfPage({ page: 'copy', folder: into })).toBe(sha256);
});

test('a page that is written anew after it was hashed is refused', async () => {
  const page = pageOf('changing', { 'index.html': 'Pitwall', 'a.js': '1' });
  const sha256 = await hashOfPage(page);
  writeFileSync(path.join(page.folder, 'a.js'), '2');
  await expect(copyPage(page, path.join(folder, 'changed'), sha256)).rejects.toThrow(
    'changing: This page was written anew meanwhile.',
  );
});
