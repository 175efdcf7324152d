import { describe, expect, test } from 'vitest';
import { createTable, insertRow } from '../../analysis/timeline/table.ts';
import type { View } from '../chart.ts';
import { thinDots } from './thinDots.ts';
import { thinPoints, thinSpans, thinTimes } from './thinning.ts';

/** Ten columns of 100 ms. */
const VIEW: View = { fromMs: 0, toMs: 1000, nowMs: 1000, maxPoints: 10, narrow: false };
const times = Array.from({ length: 1000 }, (_, ms) => ms);
const TABLE = createTable({ atMs: Float64Array });
for (const atMs of times) insertRow(TABLE, { atMs });
const flat = times.map(() => 5);
const rows = (values: readonly number[]) => ({ times, values, from: 0, to: values.length });

describe('a line', () => {
  test('of few rows is drawn as it is', () => {
    const few = { times: [0, 10, 20], values: [1, NaN, 3], from: 0, to: 3 };
    expect(thinPoints(few, VIEW)).toEqual({ xs: [0, 10, 20], ys: [1, NaN, 3] });
  });
  test('of many rows keeps the one peak and the one trough', () => {
    const values = flat.with(437, 99).with(438, -99);
    const { xs, ys } = thinPoints(rows(values), VIEW);
    expect(xs.length).toBeLessThanOrEqual(40);
    expect([xs[ys.indexOf(99)], xs[ys.indexOf(-99)]]).toEqual([437, 438]);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });
  test('keeps first and last of each column, where its neighbours join', () => {
    const { xs } = thinPoints(rows(times), VIEW);
    expect(xs.slice(0, 4)).toEqual([0, 99, 100, 199]);
  });
  test('leaves out rows of another lane', () => {
    const { xs } = thinPoints({ ...rows(flat), keeps: (row) => row === 7 }, VIEW);
    expect(xs).toEqual([7]);
  });
});

describe('dots', () => {
  const dots = (values: readonly number[], to = values.length) =>
    thinDots(
      {
        table: TABLE,
        name: 'test',
        times,
        from: 0,
        to,
        value: (row) => values[row] ?? null,
        protocol: () => 3,
      },
      VIEW,
      { radiusPx: 3, hollow: true },
    );
  test('few keep their look', () =>
    expect(dots([1, 2, 3])).toMatchObject({ xs: [0, 1, 2], hollow: true, radiusPx: 3 }));
  test('many become the least and the greatest of every 2 px', () => {
    const { xs, ys, hollow } = dots(flat.with(437, 99).with(438, 1));
    expect(xs.length).toBeLessThanOrEqual(10);
    expect(ys).toContain(99);
    expect(ys).toContain(1);
    expect(hollow).toBe(false);
  });
});

test.each([
  // spans, what remains
  [[], []],
  [
    [
      [0, 10],
      [500, 510],
    ],
    [
      [0, 10],
      [500, 510],
    ],
  ],
  [
    [
      [0, 10],
      [60, 70],
      [500, 510],
    ],
    [
      [0, 70],
      [500, 510],
    ],
  ],
  [
    [
      [0, 300],
      [20, 30],
      [320, 340],
    ],
    [[0, 340]],
  ],
])('spans less than a pixel apart run together: %j', (spans, thin) => {
  const span = ([fromMs = 0, toMs = 0]: readonly number[]) => ({ fromMs, toMs });
  expect(thinSpans(spans.map(span), VIEW)).toEqual(thin.map(span));
});

test('of moments that would cover each other the first remains', () => {
  const at = (...ms: number[]) => ms.map((atMs) => ({ atMs }));
  expect(thinTimes(at(0, 150, 200, 399, 400, 900), VIEW, 2)).toEqual(at(0, 200, 400, 900));
});
