import { describe, expect, it } from 'vitest';
import type { DownloadEvent } from '../rule.ts';
import { downloadOf } from '../testMoments.testing.ts';
import {
  emptyTotals,
  recentRateKbps,
  withRecent,
  nothingMeasured,
  totalRateKbps,
  withDownload,
} from './totalRate.ts';

/** `rateKbps` over `seconds`. */
const over = (rateKbps: number, seconds: number, aborted = false): DownloadEvent =>
  downloadOf(rateKbps * seconds, { lastByteMs: 1000 + seconds * 1000, aborted });

const USELESS = [over(9e6, 1, true), over(9e6, 0), over(0, 5), over(9e6, -1)];

const CASES: { name: string; downloads: DownloadEvent[]; all: number | null; lastTwo: number | null }[] = [
  { name: 'nothing', downloads: [], all: null, lastTwo: null },
  { name: 'nothing useful', downloads: USELESS, all: null, lastTwo: null },
  { name: 'one', downloads: [over(2000, 3)], all: 2000, lastTwo: 2000 },
  { name: 'the longer weighs more', downloads: [over(1000, 3), over(3000, 1)], all: 1500, lastTwo: 1500 },
  {
    name: 'the useless between',
    downloads: [over(1000, 3), ...USELESS, over(3000, 1)],
    all: 1500,
    lastTwo: 1500,
  },
  {
    name: 'more than two',
    downloads: [over(500, 4), over(1000, 3), over(3000, 1)],
    all: 1000,
    lastTwo: 1500,
  },
];

describe('total bytes / total time', () => {
  it.each(CASES)('of $name: all history $all kbit/s', ({ downloads, all }) => {
    expect(totalRateKbps(downloads.reduce(withDownload, nothingMeasured))).toBe(all);
  });

  it.each(CASES)('of $name: the last two $lastTwo kbit/s', ({ downloads, lastTwo }) => {
    expect(recentRateKbps(downloads.reduce(withRecent, emptyTotals(2)))).toBe(lastTwo);
  });

  it('is the harmonic mean weighted by size, as SARA writes it', () => {
    const segments = [over(700, 2), over(2900, 5), over(1300, 0.5)];
    const weights = segments.map(({ sizeBytes }) => sizeBytes);
    const rates = [700, 2900, 1300];
    const sum = (list: number[]): number => list.reduce((total, each) => total + each, 0);
    expect(totalRateKbps(segments.reduce(withDownload, nothingMeasured))).toBeCloseTo(
      sum(weights) / sum(weights.map((weight, index) => weight / rates[index]!)),
      9,
    );
  });

  it('does not touch the totals it was given', () => {
    const before = [over(500, 4), over(1000, 3)].reduce(withRecent, emptyTotals(2));
    const copy = structuredClone(before);
    withRecent(before, over(3000, 1));
    expect(before).toEqual(copy);
  });

  it.each([0, -1, 2.5, NaN])('refuses a window of %s', (size) => {
    expect(() => emptyTotals(size)).toThrow(/window of/);
  });
});
