import { describe, expect, it } from 'vitest';
import { segmentsBetween } from './segmentsBetween.ts';

describe('segments that are left', () => {
  it.each([
    [0, 48_000, 2000, 24],
    [46_010, 48_000, 2000, 1],
    [47_900, 48_000, 2000, 0],
    [50_000, 48_000, 2000, 0],
    [0, NaN, 2000, null],
    [0, Infinity, 2000, null],
    [0, 48_000, 0, null],
  ])('from %s to %s ms by %s: %s', (from, end, segmentMs, left) => {
    expect(segmentsBetween(from, end, segmentMs)).toBe(left);
  });
});
