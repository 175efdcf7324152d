import { expect, test } from 'vitest';
import { formatDifference, formatValue } from './metricText.ts';

test.each([
  [null, 1, 'unknown'],
  [-0.04, 1, '0.0'],
  [-1.26, 1, '−1.3'],
])('%s with %d decimals', (value, decimals, text) => expect(formatValue(value, { decimals })).toBe(text));

test.each([
  [null, null, ''],
  [0.04, 'same', 'same'],
  [2, 'worse', '+2.0 worse'],
  [-2, 'better', '−2.0 better'],
  [-2, null, '−2.0'],
] as const)('a difference of %s, %s', (difference, judged, text) =>
  expect(formatDifference({ value: 1, why: null, difference, judged }, { decimals: 1 })).toBe(text),
);
