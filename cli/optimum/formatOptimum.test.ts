import { expect, test } from 'vitest';
import { isWithinAnchors } from './isWithinAnchors.ts';
import { optimumReport } from './optimumReport.ts';
import { formatOptimum } from './formatOptimum.ts';

const report = (trace: string, qoePerChunk: number, anchor?: { lower: number; upper: number }) =>
  optimumReport(
    { qoePerChunk, upperBoundPerChunk: qoePerChunk + 0.1, rungs: [1, 0, 0], searchMs: 12 },
    { trace, segments: 3, anchor },
  );

test('sums are over all segments but the first', () =>
  expect(report('a', 1.5, { lower: 2.9, upper: 3.3 })).toMatchObject({
    qoe: 3,
    upperBound: 3.2,
    aboveKnownPolicy: expect.closeTo(0.1, 9) as number,
    belowKnownBound: expect.closeTo(0.1, 9) as number,
  }));

test.each([
  [{ lower: 3.04, upper: 3.16 }, true],
  [{ lower: 3.06, upper: 9 }, false],
  [{ lower: 0, upper: 3.14 }, false],
  [undefined, true],
])('a policy of 3 and a bound of 3.2 against %j: %s', (anchor, within) =>
  expect(isWithinAnchors(report('a', 1.5, anchor))).toBe(within),
);

test('a trace outside is named', () => {
  const text = formatOptimum([
    report('near', 1.5, { lower: 3, upper: 3.2 }),
    report('far', 1, { lower: 3, upper: 4 }),
  ]);
  expect(text).toContain('outside by more than 0.05: far');
  expect(text).toContain('policy −1.00000 above');
  expect(text).toContain('proven to be the optimum: 0 of 2; greatest gap to the bound 0.200');
});
