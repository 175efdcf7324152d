import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEBUG_BUILD, writeBuilds } from './builds.ts';
import { BASE_BUILD, buildFile, changesIn, COPIES, selectable, selectChanges } from './changes.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import { faultsOf } from '../../src/shared/registry.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-gate-history-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const changes = changesIn(folder, 10);
const of = (kind: string) => changes.filter((change) => change.kind === kind);

test('the list is valid, and has enough of each kind', () => {
  expect(faultsOf(changes)).toEqual([]);
  expect(faultsOf(selectable)).toEqual([]);
  expect(of('release').length).toBeGreaterThanOrEqual(3);
  expect(of('fault').length).toBeGreaterThanOrEqual(7);
  expect(of('harmless').length).toBeGreaterThanOrEqual(1);
  expect(new Set(of('aa').map(({ seed }) => seed)).size).toBe(10);
});

test('a release names its issue, and nobody knows its verdict beforehand', () => {
  for (const { label, expected, base, next } of of('release')) {
    expect(label).toMatch(/\(https:\/\/github\.com\/Dash-Industry-Forum\/dash\.js\/issues\/\d+\)\.$/);
    expect(expected).toBe('unknown');
    for (const build of [base, next]) expect(build).toMatch(/^dashjs@5\.\d+\.\d+$/);
  }
});

test('a fault should show in a metric of the gate, a harmless change in none', () => {
  const judged = usualGate.metrics.map(({ metric }) => metric);
  for (const { expected, metric } of of('fault')) {
    expect(expected).toBe('regression');
    expect(judged).toContain(metric);
  }
  for (const { expected, metric } of [...of('harmless'), ...of('aa')])
    expect([expected, metric]).toEqual(['no-regression', null]);
});

test('a kind or single changes are selected', () => {
  expect(selectChanges(changes)).toBe(changes);
  expect(selectChanges(changes, ['aa'])).toEqual(of('aa'));
  expect(selectChanges(changes, ['harmless', 'abort-never']).map(({ id }) => id)).toEqual([
    ...['abort-never', ...of('harmless').map(({ id }) => id)],
  ]);
});

test('every build is another file, and the base is the installed one', async () => {
  await writeBuilds(process.cwd(), folder);
  const read = (file: string) => readFileSync(file, 'utf8');
  const installed = read(path.join('node_modules/dashjs', DEBUG_BUILD));
  expect(read(buildFile(folder, BASE_BUILD)) === installed).toBe(true);
  const texts = changes.filter(({ kind }) => kind !== 'release').map(({ next }) => read(next));
  const [first, second] = COPIES.map((name) => read(buildFile(folder, name)));
  expect(first === second).toBe(false);
  // The gates of a build with itself have the same two builds.
  expect(new Set([installed, first, ...texts]).size).toBe(texts.length - of('aa').length + 3);
});
