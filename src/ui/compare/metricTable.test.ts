import { expect, test } from 'vitest';
import { formatDifference } from './metricTable.ts';

test.each([
  [null, null, ''],
  [0.04, 'same', 'same'],
  [2, 'worse', '+2.0 (worse)'],
  [-2, 'better', '−2.0 (better)'],
  [-2, null, '−2.0'],
] as const)('a difference of %s, %s', (difference, judged, text) =>
  expect(formatDifference({ value: 1, why: null, difference, judged }, { decimals: 1 })).toBe(text),
);
