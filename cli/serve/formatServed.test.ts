import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mpdsIn } from './mpdsIn.ts';
import { formatServed } from './formatServed.ts';

const linesOf = (mpds: readonly string[] | null): string[] =>
  formatServed(
    { httpsUrl: 'https://localhost:8443' },
    { start: 'http://localhost:8080/', chromium: null, mpds },
  )
    .split('\n')
    .filter((line) => line.startsWith('  content'));

test.each([
  ['no folder of its own', null, []],
  [
    'the MPDs of a folder',
    ['a film.mpd', 'b.mpd'],
    [
      '  content  https://localhost:8443/content/a%20film.mpd',
      '  content  https://localhost:8443/content/b.mpd',
    ],
  ],
  [
    'a folder without',
    [],
    [
      '  content  https://localhost:8443/content/  (your folder has no MPD at its top level: add the path of one below it)',
    ],
  ],
])('says where content is: %s', (_, mpds, lines) => expect(linesOf(mpds)).toEqual(lines));

test('finds MPDs in a folder, and says when there is none to look into', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-mpds-'));
  for (const name of ['b.mpd', 'a.MPD', 'a.m4s']) writeFileSync(path.join(folder, name), '');
  expect(mpdsIn(folder)).toEqual(['a.MPD', 'b.mpd']);
  rmSync(folder, { recursive: true });
  expect(() => mpdsIn(folder)).toThrow(folder);
});
