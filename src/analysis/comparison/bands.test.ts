import { describe, expect, test } from 'vitest';
import { bandOf, quartilesAt, type BandSession } from './bands.ts';

/** A session with one value until its end; null before so many ms. */
const session = (value: number, endMs = 10_000, fromMs = 0): BandSession => ({
  endMs,
  valueAt: (axisMs) => (axisMs < fromMs ? null : value),
});

describe('quartiles at one time', () => {
  test.each([
    [
      [4, 1, 3],
      [2, 3, 3.5],
    ],
    [
      [8, 2, 4, 6],
      [3.5, 5, 6.5],
    ],
    [
      [5, 5, 5, 5, 9],
      [5, 5, 5],
    ],
  ])('of %j', (values, quartiles) => {
    const { count, low, median, high } = quartilesAt(
      values.map((value) => session(value)),
      0,
    );
    expect([count, low, median, high]).toEqual([values.length, ...quartiles]);
  });
  test('fewer than three sessions have none', () =>
    expect(quartilesAt([session(1), session(2)], 0)).toEqual({
      ...{ count: 2, low: NaN, median: NaN, high: NaN },
    }));
  test('nor have fewer than half of all', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => session(value, value < 4 ? 10_000 : value * 1000));
    expect([4000, 5000, 8000].map((atMs) => quartilesAt(all, atMs))).toMatchObject([
      { count: 8, median: 4.5 },
      { count: 7, median: 5 },
      { count: 4, median: 2.5 },
    ]);
    expect(quartilesAt(all, 8001)).toMatchObject({ count: 3, median: NaN });
  });
  test('a session counts to its end, and from its first value on', () => {
    const all = [session(1), session(2), session(3), session(100, 4000), session(200, 10_000, 6000)];
    expect([4000, 4001, 6000].map((atMs) => quartilesAt(all, atMs))).toMatchObject([
      { count: 4, median: 2.5 },
      { count: 3, median: 2 },
      { count: 4, median: 2.5 },
    ]);
  });
});

test('a band has multiples of its step, from before the view to behind it', () => {
  const all = [session(1), session(2), session(3)];
  const times = (fromMs: number, toMs: number) =>
    bandOf(all, { fromMs, toMs, stepMs: 500 }).map(({ atMs }) => atMs);
  expect(times(0, 1000)).toEqual([0, 500, 1000]);
  expect(times(700, 1200)).toEqual([500, 1000, 1500]);
  expect(bandOf(all, { fromMs: 9900, toMs: 10_400, stepMs: 500 })).toEqual([
    { atMs: 9500, count: 3, low: 1.5, median: 2, high: 2.5 },
    { atMs: 10_000, count: 3, low: 1.5, median: 2, high: 2.5 },
    { atMs: 10_500, count: 0, low: NaN, median: NaN, high: NaN },
  ]);
});

/** Counts instead of interpolating: exact where a share of the values is a whole number of them. */
const byCounting = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[share * (values.length - 1)]!;

test('independent check: of 4 k + 1 values each quartile is the value with that many below it', () => {
  for (let size = 5; size < 90; size += 4) {
    const values = Array.from({ length: size }, (_, index) => (index * 7919) % 104_729);
    const { low, median, high } = quartilesAt(
      values.map((value) => session(value)),
      0,
    );
    expect([low, median, high]).toEqual([0.25, 0.5, 0.75].map((share) => byCounting(values, share)));
    expect(values.filter((value) => value < low)).toHaveLength((size - 1) / 4);
  }
});
