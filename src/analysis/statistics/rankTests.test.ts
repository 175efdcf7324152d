import { describe, expect, test } from 'vitest';
import { expectNear, golden } from './golden.testing.ts';
import { seededNormals } from './random.ts';
import { signedRank, mannWhitney } from './rankTests.ts';
import { smallestWilcoxonP } from './power.ts';

describe(`SciPy ${golden.scipy}`, () =>
  test.each(golden.wilcoxon)('$name: $call', ({ differences, zeroMethod, method, correction, ...is }) => {
    const ours = signedRank(differences, { zeroMethod, method, correction: correction ?? true });
    expect(ours).toMatchObject({ zeroMethod, method, pairs: differences.length });
    expect(Math.min(ours.positive, ours.negative)).toBe(is.statistic);
    expectNear(ours.p, is.p);
  }));

test('exact up to 50 differences, ties and zeros or not, normal above', () => {
  const ties = [1, 1, -1, 2, 2, 0, 0];
  expect(signedRank(ties).method).toBe('exact');
  const next = seededNormals(1);
  expect(signedRank([...next(50), 0, 0]).method).toBe('exact');
  expect(signedRank(next(51)).method).toBe('normal');
});

test('at the change from exact to normal p hardly moves', () => {
  const differences = seededNormals(3)(50).map((each) => each + 0.3);
  const [exact, normal] = (['exact', 'normal'] as const).map(
    (method) => signedRank(differences, { method }).p,
  );
  expect(Math.abs(exact! / normal! - 1)).toBeLessThan(0.15);
});

test('no p is below what the design can reach, also where all differences are the same', () => {
  for (const pairs of [1, 5, 6, 8, 20]) {
    const p = signedRank(new Array<number>(pairs).fill(3)).p;
    expect(p).toBe(smallestWilcoxonP(pairs));
  }
});

test('pairs without a difference, or no pairs at all: p is 1', () => {
  expect(signedRank([0, 0, 0])).toMatchObject({ p: 1, pairs: 3, zeros: 3 });
  expect(signedRank([])).toMatchObject({ p: 1, pairs: 0 });
  expect(signedRank(new Array<number>(90).fill(0), { method: 'normal' }).p).toBe(1);
});

describe('over many seeds', () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed);

  test('swapped arms give the same p and change the sums; so does no order of pairs', () => {
    for (const seed of seeds) {
      // Rounded, so that there are ties and zeros.
      const differences = seededNormals(seed)(5 + seed).map((each) => Math.round(2 * each));
      const there = signedRank(differences);
      const back = signedRank(differences.map((each) => -each));
      expect(back.p).toBe(there.p);
      expect([back.positive, back.negative]).toEqual([there.negative, there.positive]);
      expect(signedRank([...differences].reverse())).toEqual(there);
    }
  });

  test.each([
    { name: 'exact', pairs: 12, digits: 8 },
    { name: 'exact with ties and zeros', pairs: 15, digits: 0 },
    { name: 'normal', pairs: 60, digits: 8 },
  ])('equal arms are found different in 5 % at most: $name', ({ pairs, digits }) => {
    const next = seededNormals(11);
    const rejected = Array.from({ length: 2000 }, () =>
      signedRank(next(pairs).map((each) => Number(each.toFixed(digits)))),
    ).filter(({ p }) => p < 0.05).length;
    // 5 % and four standard deviations of 2,000 draws.
    expect(rejected / 2000).toBeLessThanOrEqual(0.05 + 4 * Math.sqrt((0.05 * 0.95) / 2000));
    expect(rejected / 2000).toBeGreaterThan(0.02);
  });
});

test('exact refuses what it cannot count', () =>
  expect(() => signedRank(seededNormals(1)(51), { method: 'exact' })).toThrow('51 differences'));

describe(`SciPy ${golden.scipy}`, () =>
  test.each(golden.mannWhitney)('$name: $call', ({ a, b, method, correction, u, p }) => {
    const ours = mannWhitney(a, b, { method, correction: correction ?? true })!;
    expect(ours.u).toBe(u);
    expect(ours.method).toBe(method);
    expectNear(ours.p, p);
  }));

test("Cliff's delta counts couples", () => {
  const couples = (a: number[], b: number[]): number =>
    a.flatMap((x) => b.map((y): number => Math.sign(x - y))).reduce((sum, each) => sum + each, 0) /
    (a.length * b.length);
  const [a, b] = [
    [1, 2, 2, 5],
    [0, 2, 3],
  ];
  expect(mannWhitney(a!, b!)!.cliffsDelta).toBeCloseTo(couples(a!, b!), 12);
  expect(mannWhitney([4, 5], [1, 2, 3])!.cliffsDelta).toBe(1);
  expect(mannWhitney([1, 2], [1, 2])).toMatchObject({ cliffsDelta: 0, p: 1 });
});

test('swapped samples give the same p and the opposite delta', () => {
  const next = seededNormals(5);
  for (const [first, second] of [
    [next(7), next(9)],
    [next(40), next(33)],
  ] as const) {
    const there = mannWhitney(first, second)!;
    const back = mannWhitney(second, first)!;
    expectNear(back.p, there.p, 1e-12);
    expect(back.cliffsDelta).toBeCloseTo(-there.cliffsDelta, 12);
    expect(mannWhitney([...first].reverse(), second)).toEqual(there);
  }
});

test('a sample without values has no test', () => expect(mannWhitney([], [1])).toBeNull());

test('where traces differ more than arms, pairs see what two samples do not', () => {
  const next = seededNormals(8);
  const traces = next(60).map((each) => 3000 + 1000 * each);
  const first = next(60).map((each, pair) => traces[pair]! + 60 + 80 * each);
  expect(mannWhitney(first, traces)!.p).toBeGreaterThan(0.3);
  expect(signedRank(first.map((each, pair) => each - traces[pair]!)).p).toBeLessThan(1e-4);
});
