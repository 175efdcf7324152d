import type { TestResult } from '@playwright/test/reporter';
import { saysNoSpace } from '../../../node/files.ts';
import { formatDuration } from '../../design/campaignDuration.ts';
import { failures, type Failure } from '../../design/failure.ts';
import { readFailures } from '../failureFile.ts';

const ENDS: Readonly<Record<TestResult['status'], SessionEnd>> = {
  passed: 'played',
  skipped: 'played before',
  failed: 'failed',
  timedOut: 'failed',
  interrupted: 'cut off',
};

/** What a session's test is marked with when it has a log but never showed a frame; the description says why. */
export const NOT_SHOWN = 'not shown';

/** What a session's test is skipped for that would not end within the budget of its run. */
export const NO_TIME = 'no time is left for it';

/** Playwright calls skipped also what it had no time to begin. */
export function endOf({ status, annotations }: Ended): SessionEnd {
  const isMarked = (mark: string): boolean => annotations.some(({ type }) => type === mark);
  const hasNoTime = annotations.some(({ description }) => description === NO_TIME);
  if (status === 'skipped' && (hasNoTime || !isMarked('skip'))) return 'cut off';
  return status === 'passed' && isMarked(NOT_SHOWN) ? 'not shown' : ENDS[status];
}

type Ended = Pick<TestResult, 'status' | 'annotations'>;

/** null for what needs no line of its own. */
export function formatSession(
  { duration, error, annotations }: Ended & Pick<TestResult, 'duration' | 'error'>,
  end: SessionEnd,
  last: KnownTry | undefined,
): string | null {
  if (end === 'played') return `played in ${formatDuration(duration)}`;
  if (end === 'not shown')
    return annotations.find(({ type }) => type === NOT_SHOWN)?.description ?? 'no frame was shown';
  return end === 'failed' ? formatFailed(error, last) : null;
}

function formatFailed(error: TestResult['error'], last: KnownTry | undefined): string {
  const message = plain(error?.message ?? '').replace(/^\w*Error: /, '');
  if (last) return `failed, ${last.failure.label} (${firstLine(last.message)})`;
  if (saysNoSpace(message)) return `failed: ${firstLine(message)}`;
  // Neither the laboratory nor an outcome: a bug of ours, which wants its place.
  return `failed: ${plain(error?.stack ?? message)}`;
}

/** What is said of a try that does not count; null for one that was thrown away with another of its pair. */
export const formatTry = ({ failure, message }: KnownTry): string | null =>
  failure.id === 'pair-repeated' ? null : `a try does not count: ${failure.label} (${firstLine(message)})`;

const firstLine = (text: string): string => plain(text).split('\n')[0] ?? '';

/** Playwright colours its messages. */
export const plain = (text: string): string => text.replace(/\x1b\[[\d;]*m/g, '');

/** A try that failed in a way that this version knows. */
export interface KnownTry {
  readonly failure: Failure;
  readonly message: string;
}

/** The failed tries of some sessions, in the order of time. */
export const knownTries = (files: readonly string[]): KnownTry[] =>
  files
    .flatMap(readFailures)
    .sort((one, other) => (one.atUnixMs ?? 0) - (other.atUnixMs ?? 0))
    .flatMap(({ failure: id, message }) => {
      const failure = failures.find((each) => each.id === id);
      return failure ? [{ failure, message }] : [];
    });

/** What became of a session. */
export type SessionEnd = 'played' | 'played before' | 'not shown' | 'failed' | 'cut off';
