import { describe, expect, test } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { seededRandom } from './seededRandom.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('bootstrap', () => {
  const random = seededRandom(7);
  const values = Array.from({ length: 400 }, () => random());

  test('a mean lies in its interval, which is as wide as the normal one', () => {
    const { value, interval } = bootstrap(values, mean);
    // Uniform in [0, 1): σ = 1/√12, so ± 1.96 σ / √400.
    const halfWidth = (1.96 * Math.sqrt(1 / 12)) / 20;
    expect(interval[0]).toBeLessThan(value);
    expect(interval[1]).toBeGreaterThan(value);
    expect((interval[1] - interval[0]) / (2 * halfWidth)).toBeCloseTo(1, 1);
  });

  test('equal items have an interval of no width', () =>
    expect(bootstrap([5, 5, 5], mean)).toEqual({ value: 5, interval: [5, 5] }));

  test('the same seed gives the same interval, another seed another one of the same value', () => {
    const one = bootstrap(values, mean);
    expect(bootstrap(values, mean)).toEqual(one);
    const other = bootstrap(values, mean, 2);
    expect(other.value).toBe(one.value);
    expect(other.interval).not.toEqual(one.interval);
  });
});
