import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, test } from 'vitest';
import { writeAtomically, isNoSpace, readText } from './files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-write-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

it('writes a file, and over one, and leaves nothing else', () => {
  writeAtomically(at('a'), 'one');
  writeAtomically(at('a'), 'two');
  expect(readFileSync(at('a'), 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a']);
});

it('writes where a link points to, and leaves the link', () => {
  writeAtomically(at('target'), 'old');
  symlinkSync('target', at('link'));
  writeAtomically(at('link'), 'new');
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('target'), 'utf8')).toBe('new');
});

it.runIf(existsSync('/dev/null'))('does not replace what is no ordinary file', () => {
  symlinkSync('/dev/null', at('nowhere'));
  writeAtomically(at('nowhere'), 'x');
  expect(lstatSync(at('nowhere')).isSymbolicLink()).toBe(true);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(readdirSync('/dev').filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('names the file that cannot be written', () => {
  mkdirSync(at('folder'));
  expect(() => writeAtomically(at('folder'), 'x')).toThrow(`${at('folder')}: It is a folder, not a file.`);
  expect(() => writeAtomically(at('gone/x'), 'x')).toThrow(
    `${at('gone/x')}: There is no such file or folder.`,
  );
});

test('a pipe that nobody writes to is no file, and is not waited for', async () => {
  execFileSync('mkfifo', [at('pipe.json')]);
  await expect(readText(at('pipe.json'))).rejects.toThrow(
    `${at('pipe.json')}: It is a pipe or a device, not a file.`,
  );
  await expect(readText('/dev/zero')).rejects.toThrow('/dev/zero: It is a pipe or a device, not a file.');
  writeFileSync(at('text'), 'words');
  expect(await readText(at('text'))).toBe('words');
});

const withCode = (code: string): Error => Object.assign(new Error('write'), { code });

test.each<[string, unknown, boolean]>([
  ['a code', withCode('ENOSPC'), true],
  ['a quota', withCode('EDQUOT'), true],
  ['a cause', new Error('a.json: There is no space left on the disk.', { cause: withCode('ENOSPC') }), true],
  ['words of another program', new Error("ENOSPC: no space left on device, mkdtemp '/tmp/x'"), true],
  ['our own words', new Error('bola on a: b.json: There is no space left on the disk.'), true],
  ['our own words on a quota', new Error('b.json: There is no space left (disk quota).'), true],
  ['another code', withCode('EACCES'), false],
  ['no error', 'ENOSPC', false],
])('%s', (_, error, is) => expect(isNoSpace(error)).toBe(is));
