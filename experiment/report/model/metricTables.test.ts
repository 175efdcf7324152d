import { expect, test } from 'vitest';
import { cellTable, sessionTable } from './metricTables.ts';
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

test('waits that were cut off are named beside the metrics of a session, and below the means', () => {
  const source = exampleSource({}, (_, index) =>
    index === 0
      ? { values: { 'join-time': 9000 }, lowerBound: ['join-time'] }
      : { values: { 'join-time': 500 } },
  );
  const { columns, rows } = sessionTable(source);
  const place = columns.findIndex(({ label }) => label === 'at least');
  expect(rows.map((row) => row[place])).toEqual(['join-time', ...rows.slice(1).map(() => '')]);
  expect(cellTable(source, 'mean-bitrate').caption).toMatch(
    / Waits of 1 session were cut off and count as long as they lasted: the means of join time are at least so large\.$/,
  );
  const whole = exampleSource({}, () => ({ values: { 'join-time': 500 } }));
  expect(cellTable(whole, 'mean-bitrate').caption).toMatch(/compare pairs\.$/);
});
