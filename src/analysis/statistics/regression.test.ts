import { describe, expect, test } from 'vitest';
import { type Fit, fitLinear, fitMean, fitNearest } from './regression.ts';
import { seededNormals } from './random.ts';

const ROWS = [
  [1, 10],
  [2, 30],
  [3, 20],
  [4, 60],
  [5, 40],
];

describe('least squares', () => {
  test('finds what is exactly linear, also far outside the rows', () => {
    const model = fitLinear(
      ROWS,
      ROWS.map(([a, b]) => 7 + 3 * a! - 0.5 * b!),
    );
    expect(model([100, -100])).toBeCloseTo(7 + 300 + 50, 8);
  });

  test('has residuals that no input explains: the normal equations hold', () => {
    const values = [1, 4, 2, 9, 5];
    const model = fitLinear(ROWS, values);
    const residuals = ROWS.map((row, place) => values[place]! - model(row));
    const sums = [() => 1, (row: number[]) => row[0]!, (row: number[]) => row[1]!].map((column) =>
      ROWS.reduce((sum, row, place) => sum + column(row) * residuals[place]!, 0),
    );
    for (const sum of sums) expect(sum).toBeCloseTo(0, 9);
    expect(residuals.some((residual) => Math.abs(residual) > 0.1)).toBe(true);
  });

  test('gives an input that does not vary, or that others determine, no slope', () => {
    const values = ROWS.map(([a]) => 2 * a!);
    const constant = fitLinear(
      ROWS.map(([a]) => [a!, 0.1]),
      values,
    );
    expect(constant([3, 99])).toBeCloseTo(6, 12);
    const twice = fitLinear(
      ROWS.map(([a]) => [a!, 2 * a! + 1]),
      values,
    );
    expect(twice([3, 7])).toBeCloseTo(6, 12);
    expect(Number.isFinite(twice([3, 0]))).toBe(true);
  });

  test('does not depend on the scale of an input', () => {
    const [a, b, noise] = [1, 2, 3].map((seed) => seededNormals(seed)(40)) as [number[], number[], number[]];
    const values = noise.map((each, row) => each + a[row]! - 2 * b[row]!);
    const plain = fitLinear(
      a.map((each, row) => [each, b[row]!]),
      values,
    );
    const large = fitLinear(
      a.map((each, row) => [1e9 * each + 1e9, b[row]!]),
      values,
    );
    expect(large([1e9 * 0.3 + 1e9, 2])).toBeCloseTo(plain([0.3, 2]), 6);
  });
});

describe('the nearest', () => {
  const values = [1, 2, 3, 4, 5];
  test('are counted in standard deviations, not in the units of the inputs', () => {
    // In units, [4, 60] is far from all; the first input decides as much as the second.
    expect(fitNearest(1)(ROWS, values)([1, 12])).toBe(1);
    expect(fitNearest(1)(ROWS, values)([4.9, 43])).toBe(5);
  });

  test('are all of those at the same distance, in any order of rows', () => {
    const line = [[0], [1], [2], [3]];
    expect(fitNearest(1)(line, [10, 20, 40, 80])([1.5])).toBe(30);
    expect(fitNearest(1)(line.toReversed(), [80, 40, 20, 10])([1.5])).toBe(30);
  });

  test('are all rows where there are fewer', () => expect(fitNearest(9)(ROWS, values)([0, 0])).toBe(3));
});

test.each<[string, Fit]>([
  ['mean', fitMean],
  ['linear', fitLinear],
  ['nearest', fitNearest(3)],
])('%s: one row is the answer for all, none is an error', (_, fit) => {
  expect(fit([[1, 2]], [7])([5, 5])).toBe(7);
  expect(() => fit([], [])).toThrow('nothing to fit');
});
