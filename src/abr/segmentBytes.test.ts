import { describe, expect, it } from 'vitest';
import { segmentBytes, sizeNote, sizesAreKnown } from './segmentBytes.ts';
import { contextOf, ladderOf } from './testMoments.testing.ts';

const ladder = ladderOf(300, 800);
/** Segment 3 is known at both rungs, segment 4 at the lower one only, 5 has a size that cannot be. */
const TABLE: Record<number, (number | null)[]> = { 3: [100, 200], 4: [110, null], 5: [0, 0] };
const sizes = contextOf(ladder, { sizeBytes: (segment, rung) => TABLE[segment]?.[rung] ?? null });

describe('bytes of a segment', () => {
  it.each([
    { name: 'as known', segment: 3, rung: 1, bytes: 200 },
    { name: 'one rung known, the other assumed', segment: 4, rung: 1, bytes: (800 * 4000) / 8 },
    { name: 'a size of nothing is no size', segment: 5, rung: 0, bytes: (300 * 4000) / 8 },
    { name: 'a segment without a number', segment: null, rung: 0, bytes: (300 * 4000) / 8 },
    { name: 'beyond the table', segment: 99, rung: 1, bytes: (800 * 4000) / 8 },
  ])('$name', ({ segment, rung, bytes }) => {
    expect(segmentBytes(sizes, segment, rung)).toBe(bytes);
  });

  it('takes a segment of unknown length to be 2 s long, so that no size is 0', () => {
    expect(segmentBytes(contextOf(ladder, { segmentMs: 0, live: true }), null, 0)).toBe((300 * 2000) / 8);
  });

  it('refuses a rung outside the ladder', () => {
    expect(() => segmentBytes(sizes, null, 2)).toThrow('rung 2 is outside a ladder of 2');
  });

  it.each([
    { segment: 3, known: true },
    { segment: 4, known: false },
    { segment: 5, known: false },
    { segment: null, known: false },
  ])('knows whether those of segment $segment are known: $known', ({ segment, known }) => {
    expect(sizesAreKnown(sizes, segment)).toBe(known);
    expect(sizeNote(sizes, segment) === '').toBe(known);
  });
});
