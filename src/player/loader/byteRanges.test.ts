import { describe, expect, it, test } from 'vitest';
import { contentRangeOf, partSizes, rangesOf } from './byteRanges.ts';

describe.each([
  [1_000_000, 6],
  [1_000_003, 12],
  [22_001, 12],
  [14_466, 12],
  [2400, 2],
  [87_654, 7],
])('%i bytes in %i parts', (sizeBytes, count) => {
  const sizes = partSizes(sizeBytes, count);

  it('are all of them, in parts of one length but for a few bytes, no two alike', () => {
    expect(sizes).toHaveLength(count);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(sizeBytes);
    expect(new Set(sizes).size).toBe(count);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2 * count);
  });

  it('follow one another without a gap', () => {
    const ranges = rangesOf({ first: 500, sizeBytes }, count);
    expect(ranges.map(({ first }) => first)).toEqual([
      500,
      ...ranges.slice(0, -1).map(({ last }) => last! + 1),
    ]);
    expect(ranges.at(-1)!.last).toBe(500 + sizeBytes - 1);
    expect(ranges.map(({ first, last }) => last! - first + 1)).toEqual(sizes);
  });
});

test.each([
  [7000, 12, 5],
  [2399, 6, 1],
  [1, 6, 1],
])('a segment of %i bytes in %i parts has %i: none is shorter than a packet', (sizeBytes, count, parts) =>
  expect(partSizes(sizeBytes, count)).toHaveLength(parts),
);

test.each([
  ['bytes 0-999/5000', { first: 0, last: 999, sizeBytes: 5000 }],
  ['bytes 10-19/*', { first: 10, last: 19, sizeBytes: null }],
  ['bytes */5000', null],
  ['items 0-9/10', null],
  ['', null],
])('Content-Range "%s"', (text, said) =>
  expect(contentRangeOf(new Headers(text === '' ? {} : { 'Content-Range': text }))).toEqual(said),
);
