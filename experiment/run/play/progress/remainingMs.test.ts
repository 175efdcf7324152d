import { expect, test } from 'vitest';
import { remainingMs, type ToCome } from './remainingMs.ts';

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
