import { describe, expect, it } from 'vitest';
import { ladderOf } from '../../testMoments.testing.ts';
import { aheadFrom, oneLater, reservoirMs, segmentsAhead } from './ahead.ts';

/** 300 kbit/s and 4 s are 150 000 bytes; `sizes` begin with segment 0, null is unknown. */
const sizesOf = (...sizes: (number | null)[]) => ({
  ladder: ladderOf(300, 750),
  segmentMs: 4000,
  sizeBytes: (segment: number, rung: number) => (rung === 0 ? (sizes[segment] ?? null) : null),
});

describe('the segments ahead', () => {
  it.each([
    { name: 'as large as their bitrate ask for none', sizes: [150_000, 150_000, 150_000], ms: 0 },
    { name: 'twice as large ask for as long as they play', sizes: [300_000, 300_000, 300_000], ms: 12_000 },
    { name: 'smaller ones ask for less than none', sizes: [75_000, 150_000, 150_000], ms: -2000 },
    { name: 'unknown ones count for nothing', sizes: [300_000, null, null], ms: 4000 },
    { name: 'all unknown', sizes: [], ms: 0 },
  ])('$name', ({ sizes, ms }) => {
    const table = sizesOf(...sizes);
    expect(reservoirMs(aheadFrom(table, 0, 3), table)).toBeCloseTo(ms, 6);
  });

  it('moves along to what a new sum would give, over known, unknown and past the end', () => {
    const sizes = sizesOf(1, 20, null, 300, null, 4000, 50_000);
    let ahead = aheadFrom(sizes, 0, 3);
    for (let from = 1; from <= 9; from += 1) {
      ahead = oneLater(ahead, sizes, 3);
      expect(ahead).toEqual(aheadFrom(sizes, from, 3));
    }
  });

  it('knows nothing without a number to begin at', () => {
    const ahead = aheadFrom(sizesOf(1), null, 3);
    expect(oneLater(ahead, sizesOf(1), 3)).toEqual({ from: null, knownBytes: 0, known: 0 });
  });

  it.each([
    [4000, 30],
    [2002, 60],
    [0, 0],
    [1, 600],
  ])('of %s ms fill 120 s with %s', (segmentMs, count) => {
    expect(segmentsAhead(segmentMs, 120_000)).toBe(count);
  });
});
