import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { holdAgainst, overruns, readBudget } from './budget.ts';
import { sizeTables } from './sizeBench.ts';

const kinds = {
  scripts: 50,
  workers: 20,
  styles: 10,
  pages: 5,
  nets: 7,
  compare: 9,
  exports: 3,
  sessionPage: 100,
  check: 20,
  files: 3,
  steering: 3,
  split: 3,
  transfer: 3,
  races: 0,
  players: 3,
  dashjs: 100,
  hlsjs: 100,
  shaka: 100,
  chartjs: 100,
  telemetryPackage: 25,
  elementPackage: 12,
  hlsjsPackage: 20,
  shakaPackage: 20,
  trialPackage: 9,
};
const size = (kind: keyof typeof kinds, brotliBytes: number) => ({
  file: kind,
  kind,
  sizeBytes: 0,
  brotliBytes,
});

describe('readBudget', () => {
  test.each([
    ['{', 'size-budget.json is not JSON.'],
    ['null', 'size-budget.json: /ownCode should be a number of bytes.'],
    ['{"ownCode":70000}', 'size-budget.json: /ownCodeGoal should be a number of bytes.'],
    [
      '{"ownCode":70000,"ownCodeGoal":60000}',
      'size-budget.json: /kinds/scripts should be a number of bytes.',
    ],
    [
      JSON.stringify({ ownCode: 1, ownCodeGoal: 1, kinds: { ...kinds, styles: '9' } }),
      'size-budget.json: /kinds/styles should be a number of bytes.',
    ],
  ])('%s is refused', (text, error) => expect(readBudget(text)).toEqual({ ok: false, error }));

  test('the one of this project is read, and the goal for our own code is 60 kB', () => {
    const file = path.join(import.meta.dirname, '..', '..', 'size-budget.json');
    const budget = readBudget(readFileSync(file, 'utf8'));
    expect(budget).toMatchObject({ ok: true });
    expect(budget.ok && budget.value.ownCodeGoal).toBe(60_000);
  });
});

describe('overruns', () => {
  test('a kind within its budget may still break the sum', () => {
    const lines = holdAgainst({ ownCode: 60, ownCodeGoal: 50, kinds }, [
      size('scripts', 50),
      size('styles', 10),
      size('workers', 1),
    ]);
    expect(overruns(lines)).toEqual([expect.stringMatching(/^ownCode is 61 bytes .* is 60: /)]);
  });

  test('a missed goal is a result, not a fault', () => {
    const lines = holdAgainst({ ownCode: 60, ownCodeGoal: 50, kinds }, [
      size('scripts', 50),
      size('styles', 9),
    ]);
    expect(lines[0]).toMatchObject({ id: 'ownCode', brotliBytes: 59, goalBytes: 50 });
    expect(overruns(lines)).toEqual([]);
    expect(sizeTables({ sizes: [], lines })).toMatch(/own code .* 59 +≤ 60 +within +≤ 50 +NOT met/);
  });

  test('libraries do not count as our own', () => {
    const lines = holdAgainst({ ownCode: 60, ownCodeGoal: 50, kinds }, [
      size('scripts', 50),
      size('dashjs', 101),
    ]);
    expect(overruns(lines)).toEqual([expect.stringMatching(/^dashjs is 101 bytes/)]);
  });

  test('several files of a kind add up', () => {
    const lines = holdAgainst({ ownCode: 60, ownCodeGoal: 50, kinds }, [
      size('styles', 6),
      size('styles', 5),
    ]);
    expect(overruns(lines)).toEqual([expect.stringMatching(/^styles is 11 bytes/)]);
  });
});
