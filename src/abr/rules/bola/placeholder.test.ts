import { describe, expect, it } from 'vitest';
import { ladderOf } from '../../testMoments.testing.ts';
import { enhancedLevels } from './enhancedLevels.ts';
import { placeholderAfter, placeholderAfterAbandon } from './placeholder.ts';

const levels = enhancedLevels(ladderOf(300, 750, 1200, 1850, 2850, 4300), 22_000, 0)!;

function after(
  placeholderMs: number,
  { rung = 5, requestMs = 10_000, waitMs = 0, replaced = false, steady = true, withWait = true },
): number {
  const next = { levelMs: 0, atMs: 0, newestSegment: null };
  const around = { atRequestMs: requestMs, beforeMs: 0, waitMs, replaced, next };
  return placeholderAfter(placeholderMs, levels, { rung, around, steady, withWait, segmentMs: 4000 });
}

describe('the placeholder', () => {
  it.each([
    { name: 'fades by 1 % a segment', before: 5000, how: {}, ms: 4950 },
    { name: 'grows by a wait', before: 5000, how: { waitMs: 1000 }, ms: 5940 },
    {
      name: 'not by one that does not count',
      before: 5000,
      how: { waitMs: 1000, withWait: false },
      ms: 4950,
    },
    {
      name: 'never lifts the level above the rung’s own',
      before: 50_000,
      how: { rung: 0 },
      ms: levels.maxMs[0]! - 10_000,
    },
    {
      name: 'is none where the buffer is above that',
      before: 5000,
      how: { rung: 0, requestMs: 30_000 },
      ms: 0,
    },
    { name: 'grows by a segment that replaced one', before: 5000, how: { replaced: true }, ms: 8950 },
    {
      name: 'lifts a start to where the rung belongs',
      before: 0,
      how: { steady: false, rung: 4 },
      ms: 0.99 * (levels.minMs[4]! - 10_000),
    },
    { name: 'but not above it', before: 9000, how: { steady: false, rung: 1 }, ms: 0 },
  ])('$name', ({ before, how, ms }) => {
    expect(after(before, how)).toBeCloseTo(ms, 6);
  });

  it.each([
    {
      name: 'shrinks to what keeps the abandoned rung',
      rung: 3,
      bufferMs: 8000,
      ms: levels.minMs[3]! - 8000,
    },
    { name: 'to 10 s on the lowest', rung: 0, bufferMs: 8000, ms: 2000 },
    { name: 'to none', rung: 1, bufferMs: 20_000, ms: 0 },
  ])('$name', ({ rung, bufferMs, ms }) => {
    expect(placeholderAfterAbandon(30_000, levels, { rung, bufferMs })).toBeCloseTo(ms, 6);
    expect(placeholderAfterAbandon(100, levels, { rung, bufferMs })).toBeCloseTo(Math.min(100, ms), 6);
  });
});
