import { expect, test } from 'vitest';
import { formatDifference, partedRows } from './metricTable.ts';

test.each([
  [null, null, ''],
  [0.04, 'same', 'same'],
  [2, 'worse', '+2.0 (worse)'],
  [-2, 'better', '−2.0 (better)'],
  [-2, null, '−2.0'],
] as const)('a difference of %s, %s', (difference, judged, text) =>
  expect(
    formatDifference({ value: 1, lowerBound: false, why: null, difference, judged }, { decimals: 1 }),
  ).toBe(text),
);

test.each([
  [true, ['bitrate']],
  [false, ['transfer']],
])('what is seen first, where video was played: %s', (plays, ids) => {
  const row = (id: string, isHeadline: boolean, value: number | null) => ({
    id,
    isHeadline,
    cells: [{ value, lowerBound: false, why: null, difference: null, judged: null }],
  });
  const [first, others] = partedRows([row('bitrate', true, null), row('transfer', false, 2)], plays);
  expect(first.map(({ id }) => id)).toEqual(ids);
  expect(others).toHaveLength(1);
});
