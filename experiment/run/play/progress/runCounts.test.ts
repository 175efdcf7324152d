import { expect, test } from 'vitest';
import { RunCounts, type CountedSession } from './runCounts.ts';

const sessions = (pairs: Record<string, string>, played = ''): CountedSession[] =>
  Object.entries(pairs).flatMap(([pair, keys]) =>
    [...keys].map((key) => ({ key, pair, seemsPlayed: played.includes(key) })),
  );
const counts = (pairs: Record<string, string>, { atOnce = 1, played = '' } = {}) =>
  new RunCounts(sessions(pairs, played), { atOnce, expectedMs: 60_000 });

test('before anything has ended the plan says how long', () => {
  expect(counts({ one: 'ab', two: 'cd' }).left(0)).toBe('about 4 min left');
  expect(counts({ one: 'ab', two: 'cd' }, { atOnce: 2 }).left(0)).toBe('about 2 min left');
});

test('then the median of what was played', () => {
  const run = counts({ one: 'abcd', two: 'efgh' });
  for (const [index, tookMs] of [10_000, 90_000, 20_000].entries()) {
    run.begin('abc'[index]!, 0);
    run.end('abc'[index]!, tookMs, { end: 'played' });
  }
  expect(run.done).toBe('3/8');
  expect(run.left(0)).toBe('about 1 min 40 s left');
  run.begin('d', 100_000);
  expect(run.left(115_000)).toBe('about 1 min 25 s left');
});

test('failures do not make the rest look shorter, nor do sessions that were played before', () => {
  const run = counts({ one: 'abc', two: 'de' }, { played: 'ab' });
  expect(run.left(0)).toBe('about 3 min left');
  for (const key of 'ab') {
    run.begin(key, 0);
    run.end(key, 5, { end: 'played before' });
  }
  run.begin('c', 5);
  run.end('c', 10, { end: 'failed', repeats: 2 });
  expect(run.left(10)).toBe('about 2 min left');
  expect([run.done, ...run.notes]).toEqual([
    '3/5',
    '2 played before',
    '1 failed',
    '2 tries repeated because of the lab',
  ]);
  expect(run.toPlay).toBe(3);
});

test('a log that turns out to be torn counts again', () => {
  const run = counts({ one: 'ab' }, { played: 'ab' });
  expect(run.left(0)).toBe('');
  run.begin('a', 0);
  expect(run.left(20_000)).toBe('about 40 s left');
});

test('what was cut off is not done', () => {
  const run = counts({ one: 'ab' });
  run.begin('a', 0);
  run.end('a', 10, { end: 'cut off' });
  expect([run.done, run.toPlay]).toEqual(['0/2', 2]);
});

test('a session without a frame has its log, and is counted', () => {
  const run = counts({ one: 'ab' });
  for (const [key, end] of [
    ['a', 'played'],
    ['b', 'not shown'],
  ] as const) {
    run.begin(key, 0);
    run.end(key, 10, { end });
  }
  expect([run.done, run.toPlay, ...run.notes]).toEqual(['2/2', 0, '1 without a frame']);
});
