import { describe, expect, it } from 'vitest';
import type { DownloadEvent } from '../rule.ts';
import { downloadOf } from '../testMoments.testing.ts';
import {
  estimateKbps,
  latencyMs,
  means,
  NO_ESTIMATE,
  NO_SAMPLES,
  withDownload,
  withSample,
  type EwmaPair,
} from './dashEstimate.ts';

const after = (...downloads: Partial<DownloadEvent>[]) =>
  downloads.reduce<typeof NO_ESTIMATE>(
    (estimate, over) => withDownload(estimate, downloadOf(1000, over)),
    NO_ESTIMATE,
  );

describe('what dash.js believes of the network', () => {
  it.each([
    { name: 'nothing yet', downloads: [], kbps: null, latency: 0 },
    { name: 'from the first byte: 1 Mbit in 900 ms', downloads: [{}], kbps: 1111, latency: 100 },
    {
      name: 'from the request when the origin hides it',
      downloads: [{ firstByteMs: null }],
      kbps: 1000,
      latency: 0,
    },
    { name: 'not from an abandoned one', downloads: [{ aborted: true }], kbps: null, latency: 0 },
    {
      name: 'nor from a cache that took no time',
      downloads: [{ firstByteMs: 2000 }],
      kbps: null,
      latency: 0,
    },
    { name: 'nor from an empty body', downloads: [{ sizeBytes: 0 }], kbps: null, latency: 0 },
  ] satisfies { name: string; downloads: Partial<DownloadEvent>[]; kbps: number | null; latency: number }[])(
    '$name',
    ({ downloads, kbps, latency }) => {
      expect(estimateKbps(after(...downloads))).toBe(kbps);
      expect(latencyMs(after(...downloads))).toBeCloseTo(latency, 9);
    },
  );

  it('takes the lower mean: the fast one after a fall, the slow one after a rise', () => {
    const slow = { firstByteMs: 1000, lastByteMs: 9000, sizeBytes: 1_000_000 };
    const fast = { firstByteMs: 1000, lastByteMs: 3000, sizeBytes: 1_000_000 };
    // 1000 kbit/s of weight 12 and 4000 kbit/s of weight 3, by hand: see the two half-lives of 3 and 8.
    const mean = (first: number, [w1, w2]: [number, number], second: number, halfLife: number) => {
      const [k1, k2] = [0.5 ** (w1 / halfLife), 0.5 ** (w2 / halfLife)];
      return ((1 - k1) * first * k2 + (1 - k2) * second) / (1 - k1 * k2);
    };
    expect(estimateKbps(after(slow, fast))).toBe(Math.round(mean(1000, [12, 3], 4000, 8)));
    expect(estimateKbps(after(fast, slow))).toBe(Math.round(mean(4000, [3, 12], 1000, 3)));
  });

  it('takes the higher latency', () => {
    const late = after({ firstByteMs: 1100 }, { firstByteMs: 1500 });
    // Fast: (100/4 + 500/2) / (3/4). Slow has half-life 2.
    expect(latencyMs(late)).toBeCloseTo((25 + 250) / 0.75, 6);
  });
});

const halfLives = { fast: 3, slow: 8 };
const pairAfter = (...samples: [value: number, weight: number][]): EwmaPair =>
  samples.reduce((pair, [value, weight]) => withSample(pair, { value, weight }, halfLives), NO_SAMPLES);

describe('a pair of moving means', () => {
  it('knows nothing before the first sample', () => expect(means(NO_SAMPLES, halfLives)).toBeNull());

  it.each([0.001, 1, 100])('is the first sample, whatever its weight: %s', (weight) => {
    const both = means(pairAfter([2000, weight]), halfLives);
    expect(both?.fast).toBeCloseTo(2000, 6);
    expect(both?.slow).toBeCloseTo(2000, 6);
  });

  it('forgets half in a half-life: 3 for the fast one, 8 for the slow one', () => {
    // After infinitely much of 1000 a weight of 3 of 3000 is half of the fast mean.
    expect(means(pairAfter([1000, 1e6], [3000, 3]), halfLives)?.fast).toBeCloseTo(2000, 6);
    expect(means(pairAfter([1000, 1e6], [3000, 8]), halfLives)?.slow).toBeCloseTo(2000, 6);
  });

  it('does not care in how many pieces a weight comes', () => {
    const whole = means(pairAfter([1000, 2], [500, 4]), halfLives);
    const pieces = means(pairAfter([1000, 1], [1000, 1], [500, 3], [500, 1]), halfLives);
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
    expect(pairAfter([1000, 1], [value, weight])).toEqual(pairAfter([1000, 1]));
  });
});
