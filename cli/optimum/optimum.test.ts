import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OptimumReport } from './optimumReport.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
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
const HEAD = 'trace,opt_feasible_lower,opt_optimistic_upper\n';

describe('pitwall optimum', () => {
  it('finds what can be worked out by hand: at 20 Mbit/s the top rung throughout', () => {
    writeFileSync(path.join(folder, 'known.csv'), `${HEAD}steady-20,198.55,198.55\n`);
    const { status, stdout } = optimum('--traces', 'traces', '--json', 'out.json', '--anchors', 'known.csv');
    expect(stdout).toContain('all within 0.05');
    expect(status).toBe(0);
    const reports = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')) as OptimumReport[];
    expect(reports.map(({ trace }) => trace)).toEqual(['steady-1', 'steady-20']);
    // 47 × 4.3, less 3.55 for the step from the forced first rung.
    expect(reports[1]!.qoe).toBeCloseTo(47 * 4.3 - 3.55, 9);
    expect(reports[1]!.rungs).toEqual([1, ...Array<number>(47).fill(5)]);
    expect(reports[0]!.upperBound).toBeGreaterThanOrEqual(reports[0]!.qoe);
  });

  it('fails when a known figure is missed, and names the trace', () => {
    writeFileSync(path.join(folder, 'better.csv'), `${HEAD}steady-20,199,300\n`);
    const { status, stdout } = optimum('--traces', 'traces', '--anchors', 'better.csv');
    expect(stdout).toContain('outside by more than 0.05: steady-20');
    expect(status).toBe(1);
  });

  it('says in one sentence when it cannot', () => {
    writeFileSync(path.join(folder, 'other.csv'), `${HEAD}elsewhere,1,2\n`);
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
