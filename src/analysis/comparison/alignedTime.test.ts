import { describe, expect, test } from 'vitest';
import { exampleSession, playback, stalled } from '../timeline/example.testing.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import { alignedTime } from './alignedTime.ts';

/** Play asked for at 1 s, first frame at 3 s, a stall from 8 to 10 s, stopped at 15 s: 10 s were played. */
const series = seriesOf(
  exampleSession([
    playback(1000, 'play-requested'),
    playback(3000, 'playing'),
    playback(8000, 'waiting'),
    stalled(8000, 2000),
    playback(10_000, 'playing'),
    playback(15_000, 'stopped'),
  ]),
);

describe('playback time', () => {
  const time = alignedTime(series, 'playback');
  test.each([
    [0, 0],
    [3000, 0],
    [5500, 2500],
    [8000, 5000],
    [9000, 5000],
    [10_000, 5000],
    [12_000, 7000],
    [99_000, 10_000],
  ])('session %d ms is %d ms of the axis', (atMs, axisMs) => expect(time.of(atMs)).toBe(axisMs));
  test.each([
    [0, 3000],
    [2500, 5500],
    [5000, 8000],
    [5001, 10_001],
    [10_000, 15_000],
    [99_000, 15_000],
  ])('axis %d ms is first at %d ms of the session', (axisMs, atMs) =>
    expect(time.sessionMs(axisMs)).toBe(atMs),
  );
  test('ends with what was played', () => expect(time.endMs).toBe(10_000));
});

describe('wall time', () => {
  const time = alignedTime(series, 'wall');
  test('begins when play was asked for, and goes on while nothing plays', () => {
    expect([1000, 8000, 10_000].map(time.of)).toEqual([0, 7000, 9000]);
    expect(time.sessionMs(7000)).toBe(8000);
    expect(time.endMs).toBe(14_000);
  });
  test('begins with the recording where nobody asked', () => {
    const bare = alignedTime(seriesOf(exampleSession([playback(3000, 'playing')])), 'wall');
    expect(bare.of(3000)).toBe(3000);
  });
});

test('playback that never began has no length and no moments', () => {
  const time = alignedTime(seriesOf(exampleSession([playback(1000, 'play-requested')])), 'playback');
  expect([time.endMs, time.of(9000), time.sessionMs(0)]).toEqual([0, 0, 1000]);
});
