import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { writeBuilds } from './builds.ts';
import { changesIn } from './changes.ts';
import { gateHistoryBench } from './gateHistoryBench.ts';
import { askedOf, keepPlayed, PLAYED_SCHEMA } from './playedChange.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import { pick } from '../../src/shared/registry.ts';

const root = process.cwd();
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-gate-history-bench-test-'));
const json = path.join(folder, 'figures.json');
const builds = path.join(folder, 'builds');
const only = ['log-reworded'];

let printed = '';
const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
  printed += String(text);
  return true;
});
beforeEach(() => void (printed = ''));
afterAll(() => {
  write.mockRestore();
  rmSync(folder, { recursive: true, force: true });
});

test('--quick writes the builds and plays nothing', async () => {
  expect(await gateHistoryBench.run({ root, out: folder, only, quick: true })).toBe(0);
  expect(printed).toContain('log-reworded: A message of the debug log has other words.');
  expect(existsSync(path.join(builds, 'log-reworded.js'))).toBe(true);
  expect(existsSync(path.join(folder, 'log-reworded'))).toBe(false);
});

test('a gate that has its result is not played again, and its row is in all tables', async () => {
  await writeBuilds(root, builds);
  const change = pick(changesIn(builds, 0), 'log-reworded');
  keepPlayed(folder, {
    schema: PLAYED_SCHEMA,
    id: change.id,
    verdict: 'no-regression',
    minutes: 9,
    looks: 2,
    pairs: 8,
    leftOut: 0,
    judgements: [],
    asked: askedOf(change, { gate: usualGate, workers: 1 }),
  });
  expect(await gateHistoryBench.run({ root, out: folder, only, json })).toBe(0);
  expect(printed).toContain('log-reworded: played before, no-regression\n');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  expect(read('gate-history.md')).toContain('| log-reworded | harmless |');
  expect(JSON.parse(read('gate-history.json'))).toMatchObject({
    results: [{ id: 'log-reworded', expected: 'no-regression', result: { verdict: 'no-regression' } }],
  });
  expect(JSON.parse(read('figures.json'))).toMatchObject({ figures: [{ value: 0, verdict: 'met' }] });
});

test('results of another budget are refused before anything is played', async () => {
  const only = ['abort-never'];
  await expect(gateHistoryBench.run({ root, out: folder, only, minutes: 5 })).rejects.toThrow(
    'log-reworded.json: It is the result of another gate',
  );
});
