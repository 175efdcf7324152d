import { describe, expect, test } from 'vitest';
import { expectNear, golden } from './golden.testing.ts';
import { mannWhitney } from './mannWhitney.ts';
import { seededNormals } from './seededNormals.ts';
import { signedRank } from './signedRank.ts';

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
