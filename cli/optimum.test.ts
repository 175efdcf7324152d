import { expect, test, afterAll, describe, it } from 'vitest';
import { isWithinAnchors, optimumReport, formatOptimum, anchorsFrom, type OptimumReport } from './optimum.ts';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const report = (trace: string, qoePerChunk: number, anchor?: { lower: number; upper: number }) =>
  optimumReport(
    { qoePerChunk, upperBoundPerChunk: qoePerChunk + 0.1, rungs: [1, 0, 0], searchMs: 12 },
    { trace, segments: 3, anchor },
  );

test('sums are over all segments but the first', () =>
  expect(report('a', 1.5, { lower: 2.9, upper: 3.3 })).toMatchObject({
    qoe: 3,
    upperBound: 3.2,
    aboveKnownPolicy: expect.closeTo(0.1, 9) as number,
    belowKnownBound: expect.closeTo(0.1, 9) as number,
  }));

test.each([
  [{ lower: 3.04, upper: 3.16 }, true],
  [{ lower: 3.06, upper: 9 }, false],
  [{ lower: 0, upper: 3.14 }, false],
  [undefined, true],
])('a policy of 3 and a bound of 3.2 against %j: %s', (anchor, within) =>
  expect(isWithinAnchors(report('a', 1.5, anchor))).toBe(within),
);

test('a trace outside is named', () => {
  const text = formatOptimum([
    report('near', 1.5, { lower: 3, upper: 3.2 }),
    report('far', 1, { lower: 3, upper: 4 }),
  ]);
  expect(text).toContain('outside by more than 0.05: far');
  expect(text).toContain('policy −1.00000 above');
  expect(text).toContain('proven to be the optimum: 0 of 2; greatest gap to the bound 0.200');
});

const HEAD = 'trace,opt_feasible_lower,opt_optimistic_upper,other';

test('anchors are found by the names of their columns', () =>
  expect(anchorsFrom('opt_optimistic_upper,trace,opt_feasible_lower\n3,a,2.5\n', 'f')).toEqual(
    new Map([['a', { lower: 2.5, upper: 3 }]]),
  ));

test('anchors with quotes, as R writes them', () =>
  expect(anchorsFrom('"trace","opt_feasible_lower","opt_optimistic_upper"\n"a",2.5,3\n', 'f')).toEqual(
    new Map([['a', { lower: 2.5, upper: 3 }]]),
  ));

test.each([
  ['trace,opt_feasible_lower\na,1', 'f, line 1: There is no column opt_optimistic_upper.'],
  [`${HEAD}\na,1,2,0\nb,1,`, 'f, line 3, column opt_optimistic_upper: "" is not a number.'],
  [`${HEAD}\na,1,2,0\na,1,3,0`, 'f, line 3: The trace a has a second line.'],
  [`${HEAD}\na,x,2,0`, 'f, line 2, column opt_feasible_lower: "x" is not a number.'],
])('%j is refused', (text, sentence) => expect(() => anchorsFrom(text, 'f')).toThrow(sentence));

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-optimum-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const optimum = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(root, 'bin', 'pitwall'), 'optimum', ...args], {
    encoding: 'utf8',
    cwd: folder,
  });

/** A path of constant rate for 400 s, as Pensieve would write it. */
const constant = (mbps: number): string =>
  Array.from({ length: 401 }, (_, second) => `${second}\t${mbps}`).join('\n');

mkdirSync(path.join(folder, 'traces'));
for (const mbps of [1, 20]) writeFileSync(path.join(folder, 'traces', `steady-${mbps}`), constant(mbps));

const HEAD_LINE = 'trace,opt_feasible_lower,opt_optimistic_upper\n';

describe('pitwall optimum', () => {
  it('finds what can be worked out by hand: at 20 Mbit/s the top rung throughout', () => {
    writeFileSync(path.join(folder, 'known.csv'), `${HEAD_LINE}steady-20,198.55,198.55\n`);
    const { status, stdout } = optimum('--traces', 'traces', '--json', 'out.json', '--anchors', 'known.csv');
    expect(stdout).toContain('all within 0.05');
    expect(stdout).toContain('rates: mean 10.50 Mbit/s, from 1.00 Mbit/s to 20.00 Mbit/s');
    expect(status).toBe(0);
    const reports = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')) as OptimumReport[];
    expect(reports.map(({ trace }) => trace)).toEqual(['steady-1', 'steady-20']);
    // 47 × 4.3, less 3.55 for the step from the forced first rung.
    expect(reports[1]!.qoe).toBeCloseTo(47 * 4.3 - 3.55, 9);
    expect(reports[1]!.rungs).toEqual([1, ...Array<number>(47).fill(5)]);
    expect(reports[0]!.upperBound).toBeGreaterThanOrEqual(reports[0]!.qoe);
  });

  it('fails when a known figure is missed, and names the trace', () => {
    writeFileSync(path.join(folder, 'better.csv'), `${HEAD_LINE}steady-20,199,300\n`);
    const { status, stdout } = optimum('--traces', 'traces', '--anchors', 'better.csv');
    expect(stdout).toContain('outside by more than 0.05: steady-20');
    expect(status).toBe(1);
  });

  it('says in one sentence when it cannot', () => {
    writeFileSync(path.join(folder, 'other.csv'), `${HEAD_LINE}elsewhere,1,2\n`);
    const strange = optimum('--traces', 'traces', '--anchors', 'other.csv');
    expect([strange.status, strange.stderr]).toEqual([
      1,
      expect.stringContaining('pitwall: other.csv: It has a line for none of these traces.\n'),
    ]);
    const missing = optimum('--traces', 'nowhere');
    expect([missing.status, missing.stderr]).toEqual([
      1,
      'pitwall: nowhere: There is no such file or folder.\n',
    ]);
  });
});
