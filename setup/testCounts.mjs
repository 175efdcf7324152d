// Reads how many tests passed out of the runners' own JSON reports.

/** Vitest's report (Jest's format). A file that cannot be read counts as one failed test. */
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

/** Playwright's report. A test that only passed on a retry is flaky, and flaky is broken. */
export function playwrightCounts({ stats, errors = [] }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** The titles of the failed tests in Vitest's report. */
export const vitestFailures = ({ testResults = [] }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults
      .filter((each) => each.status === 'failed')
      .map(({ fullName }) => fullName);
    return failed.length === 0 && status === 'failed'
      ? [`${name.split('/').at(-1)} could not be run`]
      : failed;
  });

/** The titles of the failed tests in Playwright's report. */
export function playwrightFailures({ suites = [], errors = [] }) {
  const inSuite = (suite) => [
    ...(suite.specs ?? []).flatMap(({ ok, title }) => (ok ? [] : [`${suite.title}: ${title}`])),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return [...suites.flatMap(inSuite), ...errors.map(({ message }) => String(message).split('\n')[0])];
}

/** The titles of the skipped tests in Vitest's report. */
export const vitestSkips = ({ testResults = [] }) =>
  testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => ['skipped', 'pending', 'todo', 'disabled'].includes(status))
      .map(({ fullName }) => fullName),
  );

/** The titles of the skipped tests in Playwright's report. */
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
