import { describe, expect, it } from 'vitest';
import {
  emptyWindow,
  harmonicMean,
  withRate,
  emptyCheckedMean,
  errorMax,
  withMeasured,
  type CheckedMean,
  rateOf,
  lastFew,
} from './harmonicMean.ts';
import { downloadOf } from '../testMoments.testing.ts';

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

const after = (size: number, ...ratesKbps: number[]): CheckedMean =>
  ratesKbps.reduce(withMeasured, emptyCheckedMean(size));

describe('the harmonic mean and its errors', () => {
  it('predicts nothing and is not wrong before a download', () => {
    expect(after(5)).toMatchObject({ predictedKbps: null, errors: [] });
    expect(errorMax(after(5))).toBe(0);
  });

  it.each([
    { name: 'the first is predicted by nobody', rates: [2000], errors: [0] },
    { name: 'predicted 2000, measured 1000', rates: [2000, 1000], errors: [0, 1] },
    { name: 'predicted 1000, measured 4000', rates: [1000, 4000], errors: [0, 0.75] },
    {
      name: 'against the mean of both: 2 / (1/1000 + 1/3000)',
      rates: [1000, 3000, 1500],
      errors: [0, 2 / 3, 0],
    },
  ])('$name', ({ rates, errors }) => {
    const found = after(5, ...rates).errors;
    expect(found).toHaveLength(errors.length);
    errors.forEach((error, index) => expect(found[index]).toBeCloseTo(error, 12));
    expect(errorMax(after(5, ...rates))).toBeCloseTo(Math.max(...errors), 12);
  });

  it('forgets an error with its download', () => {
    expect(errorMax(after(3, 4000, 1000, 1000, 1000))).toBeGreaterThan(2);
    expect(errorMax(after(3, 4000, 1000, 1000, 1000, 1000, 1000, 1000))).toBeCloseTo(0, 12);
    expect(after(3, 1, 2, 3, 4, 5).errors).toHaveLength(3);
  });

  it.each([0, -1, NaN, Infinity])('leaves a rate of %s out', (rateKbps) => {
    expect(after(5, 2000, rateKbps)).toEqual(after(5, 2000));
  });
});

it.each([
  { name: 'from the request to the last byte', over: {}, rate: 2000 },
  { name: 'with the wait for the first byte in it', over: { startMs: 0, firstByteMs: 1000 }, rate: 1000 },
  { name: 'nothing of an abandoned one', over: { aborted: true }, rate: null },
  { name: 'nothing where no time passed', over: { lastByteMs: 1000 }, rate: null },
  { name: 'nothing of a clock that ran backwards', over: { lastByteMs: 900 }, rate: null },
])('the rate of a download: $name', ({ over, rate }) => {
  expect(rateOf(downloadOf(2000, over))).toBe(rate);
});

it.each([
  { before: [], size: 3, after: [9] },
  { before: [1, 2], size: 3, after: [1, 2, 9] },
  { before: [1, 2, 3], size: 3, after: [2, 3, 9] },
  { before: [1, 2, 3, 4, 5], size: 3, after: [4, 5, 9] },
  { before: [1], size: 1, after: [9] },
])('the last $size of $before and 9 are $after', ({ before, size, after }) => {
  const copy = [...before];
  expect(lastFew(before, size, 9)).toEqual(after);
  expect(before).toEqual(copy);
});
