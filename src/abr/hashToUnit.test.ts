import { describe, expect, it } from 'vitest';
import { hashToUnit } from './hashToUnit.ts';

const draws = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => hashToUnit(seed, index));

describe('a number that looks random', () => {
  it('is the same each time, and another for another seed or count', () => {
    expect(hashToUnit(7, 3)).toBe(hashToUnit(7, 3));
    expect(new Set([...draws(1, 100), ...draws(2, 100)]).size).toBe(200);
  });

  it.each([0, 1, 2, -1, 4_000_000_000])('fills [0, 1) evenly for seed %s', (seed) => {
    const tenths = new Array<number>(10).fill(0);
    for (const draw of draws(seed, 10_000)) tenths[Math.floor(draw * 10)]! += 1;
    // 1000 each; the standard deviation of a fair one is 30.
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });

  it('does not follow from the draw before', () => {
    const list = draws(1, 10_000);
    const product = list.slice(1).reduce((sum, draw, index) => sum + (draw - 0.5) * (list[index]! - 0.5), 0);
    expect(Math.abs((product / list.length) * 12)).toBeLessThan(0.05);
  });
});
