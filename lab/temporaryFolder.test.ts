import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolderFault } from './temporaryFolder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-tmp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a folder that is there is well', () => expect(temporaryFolderFault('/run', folder)).toBeNull());

test.each<[string, string, RegExp]>([
  [
    'gone',
    path.join(folder, 'gone'),
    /gone: The folder for temporary files does not exist; set TMPDIR to another folder\.$/,
  ],
  ['a file', path.join(folder, 'file'), /file: The folder for temporary files is a file; set TMPDIR/],
])('%s', (_, place, sentence) => {
  writeFileSync(path.join(folder, 'file'), '');
  expect(temporaryFolderFault(null, place)).toMatch(sentence);
});

test.runIf(process.platform === 'linux')(
  'a path is as long as the socket of a browser allows, in bytes',
  () => {
    const max = 62 - '/run'.length;
    const ofLength = (bytes: number): string => {
      const place = `${folder}/${'ü'.repeat((bytes - folder.length - 1) >> 1)}${'x'.repeat((bytes - folder.length - 1) % 2)}`;
      mkdirSync(place);
      return place;
    };
    expect(temporaryFolderFault('/run', ofLength(max))).toBeNull();
    const long = ofLength(max + 1);
    expect(temporaryFolderFault('/run', long)).toBe(
      `${long}: The path of the folder for temporary files has ${max + 1} bytes; with the socket of a browser below it, at most ${max} are allowed; set TMPDIR to another folder.`,
    );
    expect(temporaryFolderFault(null, long)).toBeNull();
  },
);
