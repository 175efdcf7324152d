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

export function vitestFailures(report: {
  testResults?: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}): string[];

export function vitestSkips(report: {
  testResults?: { assertionResults: { status: string; fullName: string }[] }[];
}): string[];

export interface PlaywrightSuite {
  title: string;
  specs?: { ok: boolean; title: string; tests?: { status: string }[] }[];
  suites?: PlaywrightSuite[];
}

export function playwrightFailures(report: {
  suites?: PlaywrightSuite[];
  errors?: { message: string }[];
}): string[];

export function playwrightSkips(report: { suites?: PlaywrightSuite[] }): string[];

export function sumCounts(all: readonly Counts[]): Counts;
