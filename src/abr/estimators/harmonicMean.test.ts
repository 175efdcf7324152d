import { describe, expect, it } from 'vitest';
import { emptyWindow, harmonicMean, withRate } from './harmonicMean.ts';

const meanOf = (size: number, ...ratesKbps: number[]): number | null =>
  harmonicMean(ratesKbps.reduce(withRate, emptyWindow(size)));

describe('harmonic mean of a window', () => {
  it.each([
    { size: 5, rates: [], mean: null },
    { size: 5, rates: [2000], mean: 2000 },
    { size: 5, rates: [1000, 3000], mean: 1500 },
    { size: 5, rates: [4000, 4000, 4000, 4000, 1000], mean: 2500 },
    { size: 2, rates: [9e6, 1000, 3000], mean: 1500 },
    { size: 5, rates: [1000, 0, -5, NaN, Infinity, 3000], mean: 1500 },
  ])('of the last $size of $rates kbit/s is $mean', ({ size, rates, mean }) => {
    const found = meanOf(size, ...rates);
    if (mean === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(mean, 9);
  });

  it('keeps no more than its size, however long it runs', () => {
    let window = emptyWindow(5);
    for (let rate = 1; rate <= 10_000; rate += 1) window = withRate(window, rate);
    expect(window.ratesKbps).toEqual([9996, 9997, 9998, 9999, 10_000]);
  });

  it.each([0, -1, 2.5, NaN])('refuses a window of %s', (size) => {
    expect(() => emptyWindow(size)).toThrow(/window of/);
  });
});
