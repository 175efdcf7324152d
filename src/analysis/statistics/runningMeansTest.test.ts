import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectNear, golden } from './golden.testing.ts';
import { seededNormals } from './random.ts';
import { runningMeansTest, welch, welchInterval } from './runningMeansTest.ts';

test.each(golden.welch)(`SciPy ${golden.scipy}: $call, $name`, ({ a, b, ...is }) => {
  const ours = welch(a, b)!;
  expectNear(ours.t, is.t);
  expectNear(ours.degrees, is.degrees);
  expectNear(ours.p, is.p);
});

/** What SciPy says; `golden/welch_interval.py` wrote it. */
const { intervals } = JSON.parse(
  readFileSync(new URL('golden/welch_interval.json', import.meta.url), 'utf8'),
) as { intervals: Readonly<Record<string, readonly [number, number]>> };

test.each(golden.welch)('the interval of the difference of two means, $name', ({ name, a, b }) => {
  const [from, to] = welchInterval(a, b)!;
  expectNear(from, intervals[name]![0]);
  expectNear(to, intervals[name]![1]);
  expect(welchInterval([1], b)).toBeNull();
});

test('has nothing to say of one value, or of values that do not vary', () => {
  expect(welch([1], [1, 2])).toBeNull();
  expect(welch([2, 2], [3, 3])).toBeNull();
});

describe('on running means of equal arms', () => {
  const next = seededNormals(2024);
  /** Autocorrelated as bitrates are: each value keeps 0.77 of the one before. Its first 60 values forget their start. */
  const series = (): number[] => {
    let value = 0;
    return next(210)
      .map((noise) => (value = 0.77 * value + noise))
      .slice(60);
  };
  const equalArms = Array.from({ length: 400 }, () => [series(), series()] as const);

  test('the test of the 2024 paper rejects 87 % of them, and 49 % before the means', () => {
    const { onEqualArms, ...rest } = runningMeansTest([[series(), series()]], equalArms)!;
    expect(rest.givesVerdicts).toBe(false);
    expect(onEqualArms.tested).toBe(400);
    // Two standard deviations of 400 draws: 3.4 and 5 points.
    expect(Math.abs(onEqualArms.rejected / 400 - 0.87)).toBeLessThan(0.034);
    const raw = equalArms.filter(([first, second]) => welch(first, second)!.p < 0.05).length;
    expect(Math.abs(raw / 400 - 0.49)).toBeLessThan(0.05);
  });

  test('stands beside equal arms or not at all', () =>
    expect(runningMeansTest([[series(), series()]], [])).toBeNull());

  test('says of each pair whether the first is higher, and counts what it cannot say', () => {
    const low = [1, 2, 1, 2, 1, 2];
    const high = low.map((each) => each + 9);
    const quiet = [0, 0, 0];
    const pairs = [
      [high, low],
      [low, high],
      [low, low],
      [quiet, quiet],
      [quiet, [5, 5]],
      [[1], [2]],
    ] as const;
    expect(
      runningMeansTest(pairs, [
        [low, low],
        [quiet, quiet],
        [[1], [2]],
      ]),
    ).toEqual({
      givesVerdicts: false,
      alpha: 0.05,
      higher: 1,
      similar: 2,
      lower: 1,
      untested: 2,
      onEqualArms: { tested: 2, rejected: 0 },
    });
  });
});
