import { expect, test } from 'vitest';
import { percentReductions, reductionsByRtt } from './reductions.ts';

test('from 100 s to 99 s is a reduction of 1 %, as in the 2017 paper', () => {
  const all = (value: number): number[] => new Array<number>(100).fill(value);
  const { mean, percentiles } = percentReductions(all(99), all(100))!;
  expect(mean).toBeCloseTo(1, 12);
  expect(percentiles.map(({ percentile }) => percentile)).toEqual([1, 5, 10, 50, 90, 95, 99]);
  for (const { percent } of percentiles) expect(percent).toBeCloseTo(1, 12);
});

test('of ten sessions nobody knows the first percentile', () => {
  const ten = Array.from({ length: 10 }, (_, index) => 100 + index);
  const known = percentReductions(ten, [...ten, ...ten])!.percentiles.filter(
    ({ percent }) => percent !== null,
  );
  expect(known.map(({ percentile }) => percentile)).toEqual([10, 50, 90]);
});

test('percentiles are of the groups, not of pairs', () => {
  const controls = Array.from({ length: 101 }, (_, index) => index);
  const treated = controls.map((each) => (each > 90 ? each / 2 : each)).reverse();
  const { percentiles } = percentReductions(treated, controls)!;
  const at = Object.fromEntries(percentiles.map(({ percentile, percent }) => [percentile, percent]));
  // Halved, 91 to 100 fall among 45 to 50: ascending, 0 … 45, 45.5, 46, 46, … so every rank above is lower.
  expect(at[10]).toBe(0);
  expect(at[99]).toBeCloseTo(100 * (1 - 89 / 99), 12);
});

test('a percentile at which neither group stalls has no reduction', () =>
  expect(percentReductions([0, 0], [0, 0])!.mean).toBeNull());

test('by round-trip time, with a hole where a group has no session', () => {
  const buckets = reductionsByRtt(
    [
      { value: 90, minRttMs: 20 },
      { value: 50, minRttMs: 100 },
    ],
    [
      { value: 100, minRttMs: 49 },
      { value: 100, minRttMs: 100 },
      { value: 100, minRttMs: 50 },
    ],
    [50, 100],
  );
  expect(buckets.map(({ fromMs, toMs, reductions }) => [fromMs, toMs, reductions?.mean ?? null])).toEqual([
    [0, 50, 10],
    [50, 100, null],
    [100, Infinity, 50],
  ]);
});
