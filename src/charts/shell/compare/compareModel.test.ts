import { describe, expect, test } from 'vitest';
import { pannedRange, zoomedRange } from './compareModel.ts';

const endMs = 100_000;

describe('zoomedRange', () => {
  test('keeps the moment under the pointer where it is', () => {
    const zoomed = zoomedRange({ fromMs: 20_000, toMs: 60_000 }, { factor: 0.5, aboutMs: 30_000, endMs });
    expect(zoomed).toEqual({ fromMs: 25_000, toMs: 45_000 });
  });
  test('does not leave the sessions', () => {
    expect(zoomedRange({ fromMs: 0, toMs: 60_000 }, { factor: 2, aboutMs: 50_000, endMs })).toEqual({
      fromMs: 0,
      toMs: endMs,
    });
    expect(zoomedRange({ fromMs: 60_000, toMs: endMs }, { factor: 1.5, aboutMs: 99_000, endMs })).toEqual({
      fromMs: 40_000,
      toMs: endMs,
    });
  });
  test('stops at two seconds', () => {
    const { fromMs, toMs } = zoomedRange(
      { fromMs: 50_000, toMs: 52_000 },
      { factor: 0.1, aboutMs: 51_000, endMs },
    );
    expect(toMs - fromMs).toBe(2000);
  });
});

test.each([
  [5000, 25_000, 45_000],
  [-30_000, 0, 20_000],
  [999_000, 80_000, endMs],
])('panned by %d ms', (byMs, fromMs, toMs) =>
  expect(pannedRange({ fromMs: 20_000, toMs: 40_000 }, byMs, endMs)).toEqual({ fromMs, toMs }),
);
