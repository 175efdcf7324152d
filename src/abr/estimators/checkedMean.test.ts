import { describe, expect, it } from 'vitest';
import { emptyCheckedMean, errorMax, withMeasured, type CheckedMean } from './checkedMean.ts';

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
