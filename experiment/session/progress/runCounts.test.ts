import { expect, test } from 'vitest';
import { RunCounts, type CountedSession, remainingMs, type ToCome, uselessToGoOn } from './runCounts.ts';
import type { KnownTry } from './sessionWords.ts';
import { failures, type FailureId } from '../../design/failure.ts';
import { pick } from '../../../src/shared/registry.ts';

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

test('then the mean of what was played, with the tries that were repeated', () => {
  const run = counts({ one: 'abcd', two: 'efgh' });
  for (const [index, tookMs] of [10_000, 90_000, 20_000].entries()) {
    run.begin('abc'[index]!, 0);
    run.end('abc'[index]!, tookMs, { end: 'played' });
  }
  expect(run.done).toBe('3/8');
  expect(run.left(0)).toBe('about 3 min 20 s left');
  run.begin('d', 100_000);
  expect(run.left(115_000)).toBe('about 3 min 5 s left');
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
    '2 failed tries repeated, not the player’s fault',
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

test('a session that was set aside with its pair, and not played again, is still to be played', () => {
  const run = counts({ one: 'abc' });
  run.begin('a', 0);
  run.end('a', 10, { end: 'played' });
  run.begin('b', 10);
  run.end('b', 20, { end: 'failed' });
  run.lose('a', 'failed');
  run.lose('c', 'failed');
  expect([run.done, run.toPlay, ...run.notes]).toEqual(['2/3', 3, '2 failed']);
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

const nothing: ToCome = { running: [], waiting: [], atOnce: 1, sessionMs: 60_000 };

test.each<[string, Partial<ToCome>, number]>([
  ['nothing to come', {}, 0],
  ['one that runs', { running: [{ left: 1, elapsedMs: 45_000 }] }, 15],
  ['one that has taken too long already', { running: [{ left: 1, elapsedMs: 90_000 }] }, 0],
  ['the rest of its pair after it', { running: [{ left: 3, elapsedMs: 90_000 }] }, 120],
  ['pairs one after the other', { waiting: [2, 3] }, 300],
  ['pairs at once', { waiting: [2, 3], atOnce: 2 }, 180],
  ['more slots than pairs', { waiting: [2], atOnce: 9 }, 120],
  ['the next pair where the first ends', { waiting: [4, 1, 1, 1], atOnce: 2 }, 240],
  ['after those that run', { running: [{ left: 2, elapsedMs: 0 }], waiting: [1, 1], atOnce: 2 }, 120],
  ['a rest that cannot be shared out', { waiting: [4, 4, 4], atOnce: 2 }, 480],
])('%s', (_, changes, seconds) => expect(remainingMs({ ...nothing, ...changes })).toBe(seconds * 1000));

test('a hundred thousand sessions are no trouble', () => {
  const waiting = Array<number>(25_000).fill(4);
  expect(remainingMs({ ...nothing, waiting, atOnce: 8 })).toBe(12_500 * 60_000);
});

const tried = (id: FailureId, message: string): KnownTry => ({ failure: pick(failures, id), message });

test.each<[string, string, KnownTry | undefined, string | null]>([
  [
    'a full disk, when even the failure could not be kept',
    'Error: ENOSPC: no space left on device, write',
    undefined,
    'There is no space left for more logs, in /logs or for temporary files.',
  ],
  [
    'a quota',
    '',
    tried('browser-did-not-start', "EDQUOT: quota exceeded, mkdtemp '/tmp/pitwall-profile-'"),
    'There is no space left for more logs, in /logs or for temporary files.',
  ],
  [
    'a folder that lets nobody write',
    '',
    tried('log-not-written', "EACCES: permission denied, open '/logs/a.json.part'\nat open"),
    "Logs cannot be written into /logs (EACCES: permission denied, open '/logs/a.json.part').",
  ],
  ['a browser that ended', '', tried('browser-ended', 'gone'), null],
  ['a stream that did not start', 'no frame', tried('stream-did-not-start', 'no frame'), null],
  ['a bug', 'TypeError: x is not a function', undefined, null],
])('%s', (_, words, last, sentence) => expect(uselessToGoOn({ words, last }, '/logs')).toBe(sentence));
