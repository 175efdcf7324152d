import { describe, expect, test } from 'vitest';
import { axisFromZero, logAxis, niceStep, timeTicks } from './axis.ts';
import { windowMs } from './lanes/racing.ts';

const labels = ({ ticks }: { ticks: readonly { label: string }[] }) => ticks.map(({ label }) => label);

test.each([
  [10, 5, 2],
  [10, 4, 2.5],
  [11, 2, 10],
  [0.3, 3, 0.1],
  [0, 3, 5e-7],
])('a range of %d in at most %d parts takes steps of %d', (range, max, step) =>
  expect(niceStep(range, max)).toBeCloseTo(step, 12),
);

describe('axes', () => {
  test.each([
    [5.4, ['0', '2', '4', '6\u00a0Mbit/s']],
    [6, ['0', '2', '4', '6\u00a0Mbit/s']],
    [7.5, ['0', '2.5', '5.0', '7.5\u00a0Mbit/s']],
    [0.1, ['0', '0.05', '0.10\u00a0Mbit/s']],
    [1, ['0', '0.5', '1\u00a0Mbit/s']],
  ])('up to %d: the top tick carries the unit', (max, expected) =>
    expect(labels(axisFromZero({ max, unit: 'Mbit/s' }))).toEqual(expected),
  );
  test('reach above the data', () => {
    for (const max of [0.001, 0.9, 1, 3, 47, 999, 1e6])
      expect(axisFromZero({ max, unit: '' }).top).toBeGreaterThanOrEqual(max);
  });
  test('of decades, also for one value', () => {
    expect(labels(logAxis(12, 800, 'ms'))).toEqual(['10', '100', '1000\u00a0ms']);
    expect(labels(logAxis(10, 10, 'ms'))).toEqual(['10', '100\u00a0ms']);
  });
});

test.each([
  [0, 60_000, 6, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]],
  [61_000, 119_000, 2, [90_000]],
  [0, 0, 5, [0]],
])('ticks from %d to %d ms, at most about %d', (fromMs, toMs, max, expected) =>
  expect(timeTicks(fromMs, toMs, max)).toEqual(expected),
);

test.each([
  // minutes in 900 px; bytes and share windows in s
  [1, 5, 30],
  [15, 10, 30],
  [24 * 60, 900, 1800],
])('windows of a view of %d min are %d and %d s', (minutes, binS, shareS) => {
  const view = { fromMs: 0, toMs: minutes * 60_000, nowMs: 0, maxPoints: 900, narrow: false };
  expect(windowMs(view)).toEqual({ binMs: binS * 1000, shareMs: shareS * 1000 });
});
