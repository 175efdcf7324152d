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

export function sumCounts(all) {
  const sum = (key) => all.reduce((total, each) => total + each[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
