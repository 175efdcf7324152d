import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepFailure } from './failureFile.ts';
import { SessionFailure } from './sessionFailure.ts';
import { settleNetLog, writeWhole } from './sessionFiles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-whole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

test('writes the whole text', async () => {
  await writeWhole(inFolder('a.json'), '{}');
  expect(readFileSync(inFolder('a.json'), 'utf8')).toBe('{}');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

// What is written to /dev/full finds no space (full(4)): no disk has to be filled.
test.runIf(process.platform === 'linux')('on a full disk leaves nothing, and says why', async () => {
  const full = (name: string): void => symlinkSync('/dev/full', inFolder(name));
  full('b.json.part');
  await expect(writeWhole(inFolder('b.json'), '{}')).rejects.toMatchObject({ code: 'ENOSPC' });
  await writeWhole(inFolder('c.netlog.json'), '{"events": []}');
  full('c.netlog.json.gz.part');
  const netLog = { netLog: inFolder('c.netlog.json'), netLogKept: inFolder('c.netlog.json.gz') };
  await expect(settleNetLog(netLog, { keep: true })).rejects.toMatchObject({ code: 'ENOSPC' });
  full('d.failures.jsonl');
  const failure = new SessionFailure('log-not-written', 'ENOSPC');
  await expect(keepFailure(inFolder('d.failures.jsonl'), failure)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readdirSync(folder).sort()).toEqual(['a.json', 'c.netlog.json']);
});
