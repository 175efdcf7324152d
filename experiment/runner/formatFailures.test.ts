import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFailure } from '../session/failureFile.ts';
import { SessionFailure } from '../session/sessionFailure.ts';
import { formatFailures } from './formatOutcome.ts';
import { logDirOf } from '../../node/logFiles.ts';

let outDir = '';
beforeEach(() => void (outDir = mkdtempSync(path.join(tmpdir(), 'pitwall-failures-'))));
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

test('a folder without failures, or none at all', () => {
  expect(formatFailures(outDir)).toBe('no try failed');
  mkdirSync(logDirOf(outDir));
  expect(formatFailures(outDir)).toBe('no try failed');
});

test('failures of all sessions by their kind; a torn line does not count', async () => {
  const file = (id: string): string => path.join(logDirOf(outDir), `${id}.failures.jsonl`);
  await keepFailure(file('a'), new SessionFailure('browser-ended', 'gone'));
  await keepFailure(file('a'), new SessionFailure('browser-ended', 'gone'));
  await keepFailure(file('b'), new SessionFailure('page-did-not-load', new Error('refused')));
  writeFileSync(file('c'), '{"atUnixMs":1,"fail');
  expect(formatFailures(outDir)).toBe(
    '3 tries failed: 2 × the browser or its page ended, 1 × the page of the player did not load',
  );
});
