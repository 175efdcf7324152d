import { describe, expect, it } from 'vitest';
import { ladderOf } from '../../testMoments.testing.ts';
import { enhancedBest, enhancedLevels, placeholderAfter, placeholderAfterAbandon } from './enhanced.ts';
import { zeroMs } from './bola.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);
const levelsAt = (bufferTimeMs: number, minOffset: 0 | 1 = 0) =>
  enhancedLevels(ladder, bufferTimeMs, minOffset)!;

/** The level of buffer at which the choice first reaches a rung, by looking at every ms. */
function switchUps(bufferTimeMs: number): number[] {
  const levels = levelsAt(bufferTimeMs);
  const ups: number[] = [];
  for (let ms = 0, before = 0; ms <= 60_000; ms += 1) {
    const rung = enhancedBest(levels, ms);
    for (; before < rung; before += 1) ups.push(ms / 1000);
  }
  return ups;
}

describe('the levels of BOLA-E on 300 to 4300 kbit/s', () => {
  // Levels rounded to 0.1 s. dash.js' bufferTimeDefault of 18 s (its default), 22 s, 30 s and 60 s.
  it.each([
    { bufferTimeMs: 18_000, ups: [7.2, 10.6, 12.7, 14.6, 16.5] },
    { bufferTimeMs: 22_000, ups: [7.2, 10.6, 12.7, 14.6, 16.5] },
    { bufferTimeMs: 30_000, ups: [5.4, 11.0, 14.4, 17.7, 20.8] },
    { bufferTimeMs: 60_000, ups: [0, 12.5, 21.0, 29.2, 37.1] },
  ])('switch up at $ups s with $bufferTimeMs ms', ({ bufferTimeMs, ups }) => {
    switchUps(bufferTimeMs).forEach((level, index) =>
      expect(Math.abs(level - ups[index]!)).toBeLessThan(0.06),
    );
    levelsAt(bufferTimeMs)
      .minMs.slice(1)
      .forEach((level, index) => {
        expect(Math.abs(level / 1000 - ups[index]!)).toBeLessThan(0.06);
      });
  });

  it('never choose the lowest rung with 60 s, not even on an empty buffer', () => {
    expect(enhancedBest(levelsAt(60_000), 0)).toBe(1);
    expect(enhancedBest(levelsAt(22_000), 0)).toBe(0);
  });

  it('have the lowest score at 0 with 10 s and the top one with the whole buffer', () => {
    const { known, weights } = levelsAt(30_000);
    expect(zeroMs(known, weights, 0)).toBeCloseTo(10_000, 6);
    expect(zeroMs(known, weights, 5)).toBeCloseTo(30_000, 6);
  });

  it('lie V_p higher where dash.js’ start aims', () => {
    const { minMs, weights } = levelsAt(18_000);
    levelsAt(18_000, 1)
      .minMs.slice(1)
      .forEach((level, index) => {
        expect(level - minMs[index + 1]!).toBeCloseTo(weights.vpMs, 6);
      });
  });

  it.each([[ladderOf(500)], [ladderOf(500, 500)]])('are none where there is nothing to choose', (one) => {
    expect(enhancedLevels(one, 18_000, 0)).toBeNull();
  });
});

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
