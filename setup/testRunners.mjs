// The two test runners, each with its report read back: what `npm test` and `npm run test:full` share.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

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

/**
 * Arguments of Playwright's runs, one after the other: its projects in the order of their dependencies. Where Playwright follows
 * these itself, a test that fails keeps all of the next projects from being run. Playwright empties the folder that it writes to.
 */
export const playwrightStages = [['behaviour', 'waiting'], ['linked'], ['alone']].map((projects) => [
  ...projects.map((name) => `--project=${name}`),
  `--output=test-results/${projects[0]}`,
]);

/** Runs Playwright's tests, of no project but those that `args` name. Returns an object with the fields of `runVitest`'s result. */
export function runPlaywright(root, { args = [], env = {} } = {}) {
  const report = path.join(reportsFolder(root), 'playwright.json');
  return runRunner(root, {
    report,
    args: ['@playwright/test/cli.js', 'test', '--no-deps', '--reporter=list,json', ...args],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env },
    counts: playwrightCounts,
    failures: playwrightFailures,
    skips: playwrightSkips,
    byFile: playwrightByFile,
  });
}

function runRunner(root, { report, args: [script, ...args], env, counts, failures, skips, byFile }) {
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
    byFile: read && byFile ? byFile(read) : new Map(),
    status,
    signal,
  };
}

/** Vitest's report (Jest's format). A file that cannot be read counts as one failed test. @param {any} report */
export function vitestCounts({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests = 0,
  testResults = [],
}) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((each) => each.status !== 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  };
}

/** Playwright's report. A test that only passed on a retry is flaky, and flaky is broken. @param {any} report */
export function playwrightCounts({ stats, errors = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** The titles of the failed tests in Vitest's report. @param {any} report */
export const vitestFailures = ({ testResults = [] }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults
      .filter((each) => each.status === 'failed')
      .map(({ fullName }) => fullName);
    return failed.length === 0 && status === 'failed'
      ? [`${name.split('/').at(-1)} could not be run`]
      : failed;
  });

/** The titles of the failed tests in Playwright's report. @param {any} report */
export function playwrightFailures({ suites = [], errors = [] }) {
  const inSuite = (suite) => [
    ...(suite.specs ?? []).flatMap(({ ok, title }) => (ok ? [] : [`${suite.title}: ${title}`])),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return [...suites.flatMap(inSuite), ...errors.map(({ message }) => String(message).split('\n')[0])];
}

/**
 * Playwright's report by spec file, by its name: { passed, failed, skipped, failures, seconds }, where `seconds` is the sum of its
 * tests. @param {any} report
 */
export function playwrightByFile({ suites = [] }) {
  const testsIn = (suite) => [
    ...(suite.specs ?? []).flatMap((spec) => spec.tests),
    ...(suite.suites ?? []).flatMap(testsIn),
  ];
  return new Map(
    suites.map((suite) => {
      const tests = testsIn(suite);
      const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
      const ms = tests
        .flatMap(({ results = [] }) => results)
        .reduce((sum, { duration }) => sum + duration, 0);
      return [
        path.basename(suite.file),
        {
          passed: count('expected'),
          failed: count('unexpected', 'flaky'),
          skipped: count('skipped'),
          failures: playwrightFailures({ suites: [suite] }),
          seconds: Math.round(ms / 1000),
        },
      ];
    }),
  );
}

/** The titles of the skipped tests in Vitest's report. @param {any} report */
export const vitestSkips = ({ testResults = [] }) =>
  testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => ['skipped', 'pending', 'todo', 'disabled'].includes(status))
      .map(({ fullName }) => fullName),
  );

/** The titles of the skipped tests in Playwright's report. @param {any} report */
export function playwrightSkips({ suites = [] }) {
  const inSuite = (suite) => [
    ...(suite.specs ?? []).flatMap(({ title, tests = [] }) =>
      tests.some(({ status }) => status === 'skipped') ? [`${suite.title}: ${title}`] : [],
    ),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return suites.flatMap(inSuite);
}

export function sumCounts(all) {
  const sum = (key) => all.reduce((total, each) => total + each[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
