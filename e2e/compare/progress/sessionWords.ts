import type { TestResult } from '@playwright/test/reporter';
import type { FailedTry } from './failedTries.ts';
import type { SessionEnd } from './runCounts.ts';
import { durationWords } from '../../../src/campaign/durationWords.ts';

const ENDS: Readonly<Record<TestResult['status'], SessionEnd>> = {
  passed: 'played',
  skipped: 'played before',
  failed: 'failed',
  timedOut: 'failed',
  interrupted: 'cut off',
};

/** Playwright calls skipped also what it had no time to begin. */
export const endOf = ({ status, annotations }: TestResult): SessionEnd =>
  status === 'skipped' && !annotations.some(({ type }) => type === 'skip') ? 'cut off' : ENDS[status];

/** null for what needs no line of its own. */
export function wordsOf(
  { duration, error }: TestResult,
  end: SessionEnd,
  last: FailedTry | undefined,
): string | null {
  if (end === 'played') return `played in ${durationWords(duration)}`;
  if (end !== 'failed') return null;
  const message = plain(error?.message ?? '').replace(/^\w*Error: /, '');
  if (last) return `failed, ${last.failure.label} (${firstLine(last.message)})`;
  // Neither the laboratory nor an outcome: a bug of ours, which wants its place.
  return `failed: ${plain(error?.stack ?? message)}`;
}

const firstLine = (text: string): string => plain(text).split('\n')[0] ?? '';

/** Playwright colours its messages. */
export const plain = (text: string): string => text.replace(/\x1b\[[\d;]*m/g, '');
