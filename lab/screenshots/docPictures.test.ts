import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPARE_PICTURE, DOC_PICTURES, LIVE_PICTURE, pictureFaults, stampPictures } from './docPictures.ts';

const root = path.resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(path.join(tmpdir(), 'pitwall-pictures-'));
const at = (name: string): string => path.join(copy, name);

beforeAll(() => {
  for (const { file, shows } of DOC_PICTURES)
    for (const name of [file, ...shows]) cpSync(path.join(root, name), at(name), { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a picture is as old as the page that it shows', () => {
  expect(pictureFaults(copy)).toHaveLength(DOC_PICTURES.length);
  stampPictures(copy);
  expect(pictureFaults(copy)).toEqual([]);
  writeFileSync(at('src/ui/panels/any.test.ts'), 'a test is not in the picture');
  expect(pictureFaults(copy)).toEqual([]);
  appendFileSync(at('src/ui/panels/figures.ts'), '// changed\n');
  expect(pictureFaults(copy)).toEqual([
    expect.stringMatching(`^${LIVE_PICTURE}: The picture is older than the page \\(.*src/ui/panels`),
  ]);
});

test('a picture from elsewhere, and one that is gone, are named', () => {
  stampPictures(copy);
  appendFileSync(at(LIVE_PICTURE), 'x');
  rmSync(at(COMPARE_PICTURE));
  expect(pictureFaults(copy)).toEqual([
    `${LIVE_PICTURE}: The picture was not taken by this command.`,
    `${COMPARE_PICTURE}: The picture is missing.`,
  ]);
});
