// The two test runners, each with its report read back: what `npm test` and `npm run test:full` share.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  playwrightCounts,
  playwrightFailures,
  playwrightSkips,
  vitestCounts,
  vitestFailures,
  vitestSkips,
} from './testCounts.mjs';

export const reportsFolder = (root) => path.join(root, '.pitwall', 'reports');

/** Runs Vitest. Returns { passed, failed, skipped, failures, skips, status, signal }; the lists have titles of tests. */
export function runVitest(root, { args = [], env = {} } = {}) {
  const report = path.join(reportsFolder(root), 'vitest.json');
  return runRunner(root, {
    report,
    args: [
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    env,
    counts: vitestCounts,
    failures: vitestFailures,
    skips: vitestSkips,
  });
}

/** Runs Playwright's tests. Returns an object with the fields of `runVitest`'s result. */
export function runPlaywright(root, { args = [], env = {} } = {}) {
  const report = path.join(reportsFolder(root), 'playwright.json');
  return runRunner(root, {
    report,
    args: ['@playwright/test/cli.js', 'test', '--reporter=list,json', ...args],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env },
    counts: playwrightCounts,
    failures: playwrightFailures,
    skips: playwrightSkips,
  });
}

function runRunner(root, { report, args: [script, ...args], env, counts, failures, skips }) {
  rmSync(report, { force: true });
  const program = path.join(root, 'node_modules', script);
  const { status, signal } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const read = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  const found = read ? counts(read) : { passed: 0, failed: 0, skipped: 0 };
  const named = read ? failures(read) : [];
  // A runner that ends badly without a failed test (a crash, no tests at all) is a failure itself.
  const broke = status !== 0 && found.failed === 0;
  return {
    ...found,
    failed: broke ? 1 : found.failed,
    skips: read ? skips(read) : [],
    failures: broke ? [`the runner itself ended with ${status ?? signal}`] : named,
    status,
    signal,
  };
}
