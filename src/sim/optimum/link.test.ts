import { expect, test } from 'vitest';
import { Link } from './link.ts';

/** 1 s of 100 kbit/s, an outage of 1 s, 2 s of 50 kbit/s, an outage of 1 s: 200,000 bits in 5 s. */
const link = new Link({
  name: 'by hand',
  endMs: Float64Array.of(1000, 2000, 4000, 5000),
  rateKbps: Float64Array.of(100, 0, 50, 0),
  rttMs: null,
  startMs: 0,
});

test.each([
  [0, 0],
  [500, 50_000],
  [1500, 100_000],
  [3000, 150_000],
  [5000, 200_000],
  [5500, 250_000],
  [13_000, 550_000],
])('until %d ms it carries %d bits', (ms, bits) => expect(link.bitsAt(ms)).toBeCloseTo(bits, 6));

test.each([
  [100_000, 1000],
  [100_001, 2000.02],
  [200_000, 4000],
  [200_100, 5001],
  [400_000, 9000],
])('the bit %d comes at %f ms: before an outage, not after it', (bits, ms) =>
  expect(link.msAt(bits)).toBeCloseTo(ms, 6),
);

test.each([
  [100, 200, 100],
  [1200, 1900, 0],
  [1500, 2500, 50],
  [4500, 5500, 100],
  [0, 50_000, 100],
])('between %d and %d ms it carries %d kbit/s at most', (from, to, rate) =>
  expect(link.highestRate(from, to)).toBe(rate),
);
