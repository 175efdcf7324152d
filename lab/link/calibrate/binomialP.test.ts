import { describe, expect, it } from 'vitest';
import { binomialP } from './binomialP.ts';

describe('binomialP', () => {
  it.each([
    // By hand: 2 · (1 + 10 + 45) / 1024.
    [{ hits: 2, trials: 10, chance: 0.5 }, 0.109375],
    [{ hits: 8, trials: 10, chance: 0.5 }, 0.109375],
    [{ hits: 5, trials: 10, chance: 0.5 }, 1],
    // 2 · 0.99^500.
    [{ hits: 0, trials: 500, chance: 0.01 }, 2 * 0.99 ** 500],
    // 2 · 0.01^3.
    [{ hits: 3, trials: 3, chance: 0.01 }, 2e-6],
  ])('%j', (seen, p) => expect(binomialP(seen)).toBeCloseTo(p, 10));

  it('sums both tails of every count to the whole', () => {
    const trials = 40;
    const chance = 0.3;
    // P(X ≤ k) + P(X ≥ k + 1) = 1, so the two-sided value jumps over at most the mass of one count around the median.
    const values = Array.from({ length: trials + 1 }, (_, hits) => binomialP({ hits, trials, chance }));
    expect(Math.max(...values)).toBe(1);
    expect(values[0]).toBeCloseTo(2 * 0.7 ** 40, 12);
    expect(values[40]).toBeCloseTo(2 * 0.3 ** 40, 20);
  });

  it('is near the normal approximation for many trials', () => {
    // 1 % of 10,000: the standard deviation is 9.95, and 1.96 of them have p = 0.05.
    expect(binomialP({ hits: 120, trials: 10_000, chance: 0.01 })).toBeGreaterThan(0.04);
    expect(binomialP({ hits: 120, trials: 10_000, chance: 0.01 })).toBeLessThan(0.065);
  });

  it('takes no loss at all for a link without loss', () => {
    expect(binomialP({ hits: 0, trials: 10_000, chance: 0 })).toBe(1);
    expect(binomialP({ hits: 1, trials: 10_000, chance: 0 })).toBe(0);
  });
});
