import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { pageSections } from '../../bench/pageSections.ts';

/** Below the limit of the test: the progress of a bench (stderr) is then in the error. */
const LIMIT_MS = 270_000;

const root = path.dirname(path.dirname(import.meta.dirname));
const pitwall = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], {
    cwd: root,
    maxBuffer: 1e8,
    timeout: LIMIT_MS,
  });

// Alone: beside other specs the player may not keep up, and a bench refuses to measure that. No figure is asserted.

/** The two shortest benches. They show that a bench still runs; their figures are for a whole run on an idle machine. */
test.describe('a bench with --quick runs to its end', () => {
  test('page: every section has its figures', async () => {
    const { stdout } = await pitwall('bench', 'page', '--quick');
    for (const { label } of pageSections) expect(stdout).toContain(label);
    expect(stdout).toMatch(/\d+ of \d+ goals met|All \d+ goals met/);
  });

  test('sim: every section has its figures', async () => {
    const { stdout } = await pitwall('bench', 'sim', '--quick');
    expect(stdout).toMatch(/\d+ of \d+ goals met|All \d+ goals met/);
  });
});
