import { expect, test } from 'vitest';
import { bandOf } from './paintLine.ts';

/** A line of 2 px through points [column, y], as [top, bottom] of six columns; null where there is nothing. */
function band(points: readonly (readonly [number, number])[], step: boolean) {
  const line = { count: points.length, x: (i: number) => points[i]![0], y: (i: number) => points[i]![1] };
  const { tops, bottoms } = bandOf({ ...line, step, widthPx: 2 }, 6);
  return Array.from(tops, (top, column) => (top < bottoms[column]! ? [top, bottoms[column]] : null));
}

test('covers all values of a column', () =>
  expect(
    band(
      [
        [0, 10],
        [0, 30],
        [0, 20],
      ],
      true,
    )[0],
  ).toEqual([9, 31]));
test('a step holds where no point is, however long, and rises in the column of the next', () =>
  expect(
    band(
      [
        [-3, 10],
        [4, 20],
        [9, 20],
      ],
      true,
    ),
  ).toEqual([
    [9, 11],
    [9, 11],
    [9, 11],
    [9, 11],
    [9, 21],
    [19, 21],
  ]));
test('a slanted line goes straight from point to point', () =>
  expect(
    band(
      [
        [0, 10],
        [5, 60],
      ],
      false,
    ),
  ).toEqual([
    [9, 11],
    [19, 21],
    [29, 31],
    [39, 41],
    [49, 51],
    [49, 61],
  ]));
test('there is nothing where the pen is up', () =>
  expect(
    band(
      [
        [0, 10],
        [1, NaN],
        [4, 10],
        [5, 10],
      ],
      true,
    ),
  ).toEqual([[9, 11], null, null, null, [9, 11], [9, 11]]));
