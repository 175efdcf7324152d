import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { studentQuantile } from './distributions.ts';
import { expectNear } from './golden.testing.ts';
import { bootstrapTInterval, signFlipInterval, skewedInterval, studentInterval } from './meanIntervals.ts';
import { seededNormals } from './random.ts';

interface Golden {
  readonly studentQuantile: readonly { call: string; share: number; degrees: number; is: number }[];
  readonly intervals: readonly {
    name: string;
    scipy: string;
    differences: readonly number[];
    student: readonly [number, number];
    skewed: readonly [number, number];
    bootstrapT: { mean: readonly [number, number]; deviation: readonly [number, number] };
    flips: readonly { mean: number; pGreater: number; pLess: number }[];
  }[];
}

/** What SciPy says; `golden/mean_intervals.py` wrote it. */
const golden = JSON.parse(
  readFileSync(new URL('golden/mean_intervals.json', import.meta.url), 'utf8'),
) as Golden;

const DRAWS = { seed: 1, resamples: 10_000 };

describe('SciPy', () => {
  test.each(golden.studentQuantile)('$call', ({ share, degrees, is }) =>
    expectNear(studentQuantile(share, degrees), is),
  );

  test.each(golden.intervals)("$name: Student's and Hall's interval", ({ differences, student, skewed }) => {
    for (const end of [0, 1] as const) {
      expectNear(studentInterval(differences, 0.95)[end], student[end]);
      expectNear(skewedInterval(differences, 0.95)[end], skewed[end]);
    }
  });

  test.each(golden.intervals)(
    '$name: bootstrap-t, within the noise of its draws',
    ({ differences, bootstrapT: { mean, deviation } }) => {
      const interval = bootstrapTInterval(differences, 0.95, { seed: 1, resamples: 100_000 });
      for (const end of [0, 1] as const)
        expect(Math.abs(interval[end] - mean[end])).toBeLessThan(4 * deviation[end]);
    },
  );

  test.each(golden.intervals.filter(({ flips }) => flips.length > 0))(
    '$name: a mean is in the interval just where a test by sign flips does not reject it',
    ({ differences, flips }) => {
      const [min, max] = signFlipInterval(differences, 0.95, DRAWS);
      const inside = flips.map(({ mean }) => mean > min && mean < max);
      expect(inside).toEqual(flips.map(({ pGreater, pLess }) => Math.min(pGreater, pLess) > 0.025));
      expect(new Set(inside)).toEqual(new Set([true, false]));
    },
  );
});

const METHODS = {
  student: (values: readonly number[]) => studentInterval(values, 0.95),
  skewed: (values: readonly number[]) => skewedInterval(values, 0.95),
  bootstrapT: (values: readonly number[]) => bootstrapTInterval(values, 0.95, DRAWS),
  signFlip: (values: readonly number[]) => signFlipInterval(values, 0.95, DRAWS),
};

describe.each(Object.entries(METHODS))('%s', (_, interval) => {
  const values = seededNormals(3)(10).map((each) => 5 + each ** 3);

  test('moves and grows with the unit, and mirrors itself', () => {
    const [min, max] = interval(values);
    const [scaledMin, scaledMax] = interval(values.map((each) => 100 + 8 * each));
    expect(scaledMin).toBeCloseTo(100 + 8 * min, 9);
    expect(scaledMax).toBeCloseTo(100 + 8 * max, 9);
    const mirrored = interval(values.map((each) => -each));
    const width = max - min;
    expect(Math.abs(mirrored[0] + max) / width).toBeLessThan(0.05);
    expect(Math.abs(mirrored[1] + min) / width).toBeLessThan(0.05);
  });

  test('has no width where values do not vary', () =>
    expect(interval(Array.from({ length: 8 }, () => 7))).toEqual([7, 7]));

  test('is the same again', () => expect(interval(values)).toEqual(interval(values)));
});

test('many values have drawn subsets, which say nearly the same as all', () => {
  const values = seededNormals(5)(17);
  const drawn = signFlipInterval(values, 0.95, { seed: 1, resamples: 20_000 });
  const student = studentInterval(values, 0.95);
  const width = student[1] - student[0];
  for (const end of [0, 1] as const) expect(Math.abs(drawn[end] - student[end]) / width).toBeLessThan(0.1);
});

test('five values are too few for 95 % by sign flips: no mean is rejected', () =>
  expect(signFlipInterval([1, 2, 3, 4, 5], 0.95, DRAWS)).toEqual([-Infinity, Infinity]));

test('a value that most resamples lack has no finite end by bootstrap-t', () => {
  const [, max] = bootstrapTInterval([0, 0, 0, 0, 0, 0, 0, 1], 0.95, DRAWS);
  expect(max).toBe(Infinity);
});
