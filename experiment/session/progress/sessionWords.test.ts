import type { TestResult } from '@playwright/test/reporter';
import { describe, expect, test } from 'vitest';
import { failures } from '../../design/failure.ts';
import { endOf, NO_TIME, NOT_SHOWN, formatSession, formatTry } from './sessionWords.ts';

type Ended = Pick<TestResult, 'status' | 'annotations' | 'duration'>;

const ended = (status: Ended['status'], ...marks: Ended['annotations']): Ended => ({
  status,
  duration: 5000,
  annotations: marks,
});
const why = { type: NOT_SHOWN, description: 'no frame was shown: The server answered 404.' };

describe('a session’s end', () => {
  test.each([
    ['with a frame', ended('passed'), 'played', 'played in 5 s'],
    ['without a frame', ended('passed', why), 'not shown', why.description],
    ['played before', ended('skipped', { type: 'skip' }), 'played before', null],
    ['no time to begin', ended('skipped'), 'cut off', null],
    ['no time in the budget', ended('skipped', { type: 'skip', description: NO_TIME }), 'cut off', null],
    ['interrupted', ended('interrupted', why), 'cut off', null],
  ] as const)('%s', (_, result, end, words) => {
    expect(endOf(result)).toBe(end);
    expect(formatSession(result, end, undefined)).toBe(words);
  });
});

test('a try that does not count is said with its reason, but not once more for each other session of its pair', () => {
  const of = (id: string, message: string) =>
    formatTry({ failure: failures.find((each) => each.id === id)!, message });
  expect(of('play-not-on-time', 'play was requested 121 ms late\nat …')).toBe(
    'a try does not count: play was not requested on time (play was requested 121 ms late)',
  );
  expect(of('pair-repeated', 'its pair was repeated because h2 failed')).toBeNull();
});
