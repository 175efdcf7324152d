import { describe, expect, it } from 'vitest';
import {
  cushionOf,
  cushionShare,
  type Cushion,
  aheadFrom,
  oneLater,
  wishedReservoirMs,
  segmentsAhead,
} from './map.ts';
import { ladderOf } from '../../testMoments.testing.ts';

const cushion = (bufferMaxS: number, targetS: number, segmentS: number, wishedS: number): number[] => {
  const scale = {
    bufferMaxMs: bufferMaxS * 1000,
    bufferTargetMs: targetS * 1000,
    segmentMs: segmentS * 1000,
    endShare: 0.9,
  };
  const { reservoirMs, endMs } = cushionOf(scale, wishedS * 1000, 8000);
  return [reservoirMs / 1000, endMs / 1000];
};

describe('the cushion', () => {
  it.each([
    { name: 'the paper at 240 s', args: [240, 240, 4, 100], is: [100, 216] },
    { name: 'its reservoir has a ceiling', args: [240, 240, 4, 999], is: [140, 216] },
    { name: 'scaled to 60 s', args: [60, 60, 4, 0], is: [8, 54] },
    { name: 'with its ceiling', args: [60, 60, 4, 50], is: [35, 54] },
    { name: 'a negative wish is the floor', args: [60, 60, 4, -20], is: [8, 54] },
    { name: 'a player that stops at 20 s still reaches the top', args: [60, 20, 4, 0], is: [5.833, 14] },
    { name: 'a target above the map changes nothing', args: [60, 300, 4, 0], is: [8, 54] },
    { name: 'a live target of 4 s', args: [60, 4, 2, 99], is: [2, 2] },
    { name: 'a target below a segment', args: [60, 2, 4, 0], is: [0.5, 1] },
    { name: 'no target', args: [60, 0, 4, 0], is: [8, 54] },
  ] as { name: string; args: [number, number, number, number]; is: number[] }[])('$name', ({ args, is }) => {
    cushion(...args).forEach((value, index) => expect(value).toBeCloseTo(is[index]!, 3));
  });

  it.each([
    [0, 0],
    [8000, 0],
    [31_000, 0.5],
    [54_000, 1],
    [99_000, 1],
  ])('is full at %s ms to %s', (bufferMs, share) => {
    expect(cushionShare({ reservoirMs: 8000, endMs: 54_000 }, bufferMs)).toBe(share);
  });

  it('has no slope when it has no width', () => {
    const step: Cushion = { reservoirMs: 2000, endMs: 2000 };
    expect([1999, 2000, 2001].map((bufferMs) => cushionShare(step, bufferMs))).toEqual([0, 0, 1]);
  });
});

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
    expect(wishedReservoirMs(aheadFrom(table, 0, 3), table)).toBeCloseTo(ms, 6);
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
