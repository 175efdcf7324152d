export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function vitestCounts(report: {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults?: { status: string; assertionResults: { status: string }[] }[];
}): Counts;

export function playwrightCounts(report: {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors?: unknown[];
}): Counts;

export function sumCounts(all: readonly Counts[]): Counts;
