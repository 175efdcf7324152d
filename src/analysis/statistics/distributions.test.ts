import { describe, expect, test } from 'vitest';
import { expectNear, golden } from './golden.testing.ts';
import { normalQuantile, normalTail, studentTail } from './distributions.ts';

describe(`SciPy ${golden.scipy}`, () => {
  test.each(golden.normalTail)('$call', ({ z, is }) => expectNear(normalTail(z), is, 1e-12));
  test.each(golden.normalQuantile)('$call', ({ share, is }) => expectNear(normalQuantile(share), is, 1e-12));
  test.each(golden.studentTail)('$call', ({ t, degrees, is }) =>
    expectNear(studentTail(t, degrees), is, 1e-10),
  );
});

test('there is no quantile of 2 and no distribution without degrees of freedom', () => {
  expect(() => normalQuantile(2)).toThrow('share is 2');
  expect(() => normalQuantile(NaN)).toThrow('share is NaN');
  expect(() => studentTail(1, 0)).toThrow('degrees of freedom are 0');
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
});
