import { expect, test } from 'vitest';
import { columnDataOf } from './parquetTable.ts';

test('a count with a fraction is rounded, because its column has whole numbers; others stay what they are', () => {
  const columns = [
    { name: 'cwnd_bytes', type: 'integer', unit: 'bytes', meaning: 'congestion window' },
    { name: 'rate_kbps', type: 'number', unit: 'kbit/s', meaning: 'delivery rate' },
  ] as const;
  const rows = [
    [48_000.5, 48_000.5],
    [12, null],
    [null, 1],
  ];
  expect(columnDataOf(columns, rows)).toEqual([
    { name: 'cwnd_bytes', data: [48_001n, 12n, null] },
    { name: 'rate_kbps', data: [48_000.5, null, 1] },
  ]);
});
