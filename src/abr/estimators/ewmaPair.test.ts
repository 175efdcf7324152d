import { describe, expect, it } from 'vitest';
import { means, NO_SAMPLES, withSample, type EwmaPair } from './ewmaPair.ts';

const halfLives = { fast: 3, slow: 8 };
const after = (...samples: [value: number, weight: number][]): EwmaPair =>
  samples.reduce((pair, [value, weight]) => withSample(pair, { value, weight }, halfLives), NO_SAMPLES);

describe('a pair of moving means', () => {
  it('knows nothing before the first sample', () => expect(means(NO_SAMPLES, halfLives)).toBeNull());

  it.each([0.001, 1, 100])('is the first sample, whatever its weight: %s', (weight) => {
    const both = means(after([2000, weight]), halfLives);
    expect(both?.fast).toBeCloseTo(2000, 6);
    expect(both?.slow).toBeCloseTo(2000, 6);
  });

  it('forgets half in a half-life: 3 for the fast one, 8 for the slow one', () => {
    // After infinitely much of 1000 a weight of 3 of 3000 is half of the fast mean.
    expect(means(after([1000, 1e6], [3000, 3]), halfLives)?.fast).toBeCloseTo(2000, 6);
    expect(means(after([1000, 1e6], [3000, 8]), halfLives)?.slow).toBeCloseTo(2000, 6);
  });

  it('does not care in how many pieces a weight comes', () => {
    const whole = means(after([1000, 2], [500, 4]), halfLives);
    const pieces = means(after([1000, 1], [1000, 1], [500, 3], [500, 1]), halfLives);
    expect(pieces?.fast).toBeCloseTo(whole!.fast, 9);
    expect(pieces?.slow).toBeCloseTo(whole!.slow, 9);
  });

  it.each([
    [NaN, 1],
    [Infinity, 1],
    [5, 0],
    [5, -1],
    [5, NaN],
  ])('leaves out a sample of %s with weight %s', (value, weight) => {
    expect(after([1000, 1], [value, weight])).toEqual(after([1000, 1]));
  });
});
