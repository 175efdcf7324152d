import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { studentQuantile } from './distributions.ts';
import { expectNear } from './golden.testing.ts';
import {
  bootstrapTInterval,
  meanTest,
  signFlipInterval,
  skewedInterval,
  studentInterval,
} from './meanIntervals.ts';
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

describe('what hangs on the draws', () => {
  const values = seededNormals(3)(10).map((each) => 1 + each);
  const coarse = meanTest(values, { ...DRAWS, finer: 1_000_000 });

  test('is a p within three standard errors of its level', () => {
    // The error of a p of 0.01 with 10,000 draws is 0.000995.
    expect(coarse.hangsOnDraws(0.01, 0.01 + 0.0029)).toBe(true);
    expect(coarse.hangsOnDraws(0.01, 0.01 + 0.003)).toBe(false);
    expect(coarse.hangsOnDraws(0.01, 0.01 - 0.0029)).toBe(true);
    expect(coarse.hangsOnDraws(0.01, 0.01 - 0.003)).toBe(false);
  });

  test('is drawn once more, with the same mean and little noise', () => {
    const finer = coarse.finer!();
    expect(finer.value).toBe(coarse.value);
    expect(finer.finer).toBeNull();
    expect(finer.hangsOnDraws(0.01, 0.0103)).toBe(false);
    const others = [1, 2, 3].map((seed) => meanTest(values, { seed, resamples: 1_000_000 }));
    const ps = others.map((test) => test.pAbove(0.5));
    const error = Math.sqrt((finer.pAbove(0.5) * (1 - finer.pAbove(0.5))) / 1_000_000);
    for (const p of ps) expect(Math.abs(p - finer.pAbove(0.5))).toBeLessThan(6 * error);
  });

  test('is nothing of a mean that is certain, or of one value', () => {
    for (const known of [[2, 2, 2], [2]])
      expect(meanTest(known, { ...DRAWS, finer: 1_000_000 })).toMatchObject({ finer: null });
  });
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

describe('the test of a mean', () => {
  const values = seededNormals(4)(12).map((each) => 2 + Math.exp(each));
  const test95 = meanTest(values, DRAWS);

  test('rejects a bound just where the interval ends', () => {
    const [min, max] = test95.interval(0.95)!;
    const width = max - min;
    expect(test95.pAbove(min - 0.02 * width)).toBeLessThan(0.025);
    expect(test95.pAbove(min + 0.02 * width)).toBeGreaterThan(0.025);
    expect(test95.pBelow(max + 0.02 * width)).toBeLessThan(0.025);
    expect(test95.pBelow(max - 0.02 * width)).toBeGreaterThan(0.025);
  });

  test('is sure of what is far away, by the number of draws, and never of the mean itself', () => {
    expect(test95.pAbove(-1e6)).toBe(1 / 10_001);
    expect(test95.pBelow(1e6)).toBe(1 / 10_001);
    expect(test95.pBelow(-1e6)).toBe(1);
    expect(test95.pAbove(test95.value)).toBeGreaterThan(0.2);
    expect(test95.pAbove(test95.value) + test95.pBelow(test95.value)).toBeCloseTo(1, 2);
  });

  test('knows nothing of one value', () => {
    const one = meanTest([7], DRAWS);
    expect([one.value, one.interval(0.95), one.pAbove(0), one.pBelow(0)]).toEqual([7, null, 1, 1]);
  });

  test('has no interval where one value of eight carries the spread', () =>
    expect(meanTest([0, 0, 0, 0, 0, 0, 0, 1], DRAWS).interval(0.95)).toBeNull());

  test('takes the mean of equal values for certain', () => {
    const same = meanTest([7, 7, 7], DRAWS);
    expect([same.interval(0.95), same.pAbove(6.9), same.pAbove(7), same.pBelow(7.1)]).toEqual([
      [7, 7],
      1 / 10_001,
      1,
      1 / 10_001,
    ]);
  });

  test('needs a value', () => expect(() => meanTest([], DRAWS)).toThrow('no values'));
});
