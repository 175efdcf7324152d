import { expect, test } from 'vitest';
import { sessionTable } from './metricTables.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';

test('a correlation stands beside its lag and the share of its shifts that are larger', () => {
  const source = exampleSource({}, (_, index) =>
    index === 0
      ? {
          values: { 'tcp-stall-correlation': 0.6 },
          parts: { 'tcp-stall-correlation': { lagS: 90, shareOfShiftsLarger: 0.25 } },
        }
      : {},
  );
  const { columns, rows } = sessionTable(source);
  const found = columns.flatMap(({ label }, place) =>
    /stall.*(lag|shifts)/.test(label) ? [rows.map((row) => row[place])] : [],
  );
  expect(found).toEqual([
    [90, null],
    [0.25, null],
  ]);
  for (const row of rows) expect(row).toHaveLength(columns.length);
});
