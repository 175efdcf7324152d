import { describe, expect, it } from 'vitest';
import { cushionOf, cushionShare, type Cushion } from './cushion.ts';

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
