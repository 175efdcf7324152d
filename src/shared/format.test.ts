import { describe, expect, test } from 'vitest';
import {
  formatClock,
  formatConfidence,
  formatCount,
  formatElapsed,
  formatInteger,
  formatMbps,
  formatNumber,
  formatPercent,
  formatSigned,
  formatSize,
  NO_BREAK,
} from './format.ts';

describe('formatNumber', () => {
  test.each([
    [-1.26, 1, '−1.3'],
    [-0.04, 1, '0.0'],
    [0.04, 1, '0.0'],
    [12_345.6, 0, '12346'],
    [null, 1, 'unknown'],
    [NaN, 1, 'unknown'],
  ])('%s with %d decimals is %s', (value, decimals, text) =>
    expect(formatNumber(value, decimals)).toBe(text),
  );
  test('says what the caller has for unknown', () => expect(formatNumber(null, 1, '–')).toBe('–'));
});

test.each([
  [1.26, 1, '+1.3'],
  [-1.26, 1, '−1.3'],
  [0.04, 1, '0.0'],
  [-0.04, 1, '0.0'],
  [3, 0, '+3'],
])('a difference of %d with %d decimals is %s', (value, decimals, text) =>
  expect(formatSigned(value, decimals)).toBe(text),
);

test.each([
  [1, '1 stall'],
  [0, '0 stalls'],
  [9999, '9999 stalls'],
  [12_000, '12,000 stalls'],
])('a count of %d is %s', (count, text) => expect(formatCount(count, 'stall')).toBe(text));

test('a count has the plural that its noun has', () =>
  expect([1, 2].map((count) => formatCount(count, 'switch', 'switches'))).toEqual([
    '1 switch',
    '2 switches',
  ]));

test('thousands stand apart from 10,000 on', () =>
  expect([9999, 10_000, 1_234_567].map(formatInteger)).toEqual(['9999', '10,000', '1,234,567']));

test('a share is a percentage', () => {
  expect(formatPercent(0.335)).toBe('34 %');
  expect(formatPercent(0.335, { decimals: 1, space: NO_BREAK })).toBe('33.5\u00a0%');
});

test.each([
  [0.05, '95 %'],
  [0.025, '97.5 %'],
  [0.05 / 3, '98.33 %'],
  [0.001, '99.9 %'],
  [1e-9, '99.9999999 %'],
  [0.5, '50 %'],
])('the confidence of an alpha of %d is %s', (alpha, words) => expect(formatConfidence(alpha)).toBe(words));

describe('times', () => {
  test.each([
    [0, '0:00'],
    [59_499, '0:59'],
    [59_500, '1:00'],
    [3_600_000, '1:00:00'],
    [-5, '0:00'],
  ])('the moment %d ms is %s', (ms, text) => expect(formatClock(ms)).toBe(text));
  test('tenths round as a whole', () => expect(formatClock(59_960, true)).toBe('1:00.0'));
  test.each([
    [0, '0:00'],
    [999, '0:00'],
    [75_000, '1:15'],
    [3_599_999, '59:59'],
    [3_675_000, '1:01:15'],
    [90_000_000, '25:00:00'],
    [-5, '0:00'],
    [NaN, '0:00'],
  ])('a clock that ran for %d ms shows %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [412_300, '412 kB'],
  [999_700, '1.0 MB'],
  [12_340_000, '12.3 MB'],
  [123_400_000, '123 MB'],
])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

test.each([
  [1450, '1.45 Mbit/s'],
  [1_514_890, '1515 Mbit/s'],
  [null, 'unknown'],
])('%s kbit/s are %s', (rateKbps, text) => expect(formatMbps(rateKbps)).toBe(text));
