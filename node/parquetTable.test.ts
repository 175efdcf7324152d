import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { columnDataOf, parquetBytes, readParquetColumns } from './parquetTable.ts';

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

test('a column that came later is left out of a file of an older version, and one that was always there is not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-parquet-'));
  try {
    const file = path.join(folder, 'old.parquet');
    const column = { name: 'rate', type: 'number', unit: 'kbit/s', meaning: 'rate' } as const;
    writeFileSync(file, parquetBytes([column], [[1], [2]], {}));
    expect([...(await readParquetColumns(file, ['rate'], ['lowerBound']))]).toEqual([['rate', [1, 2]]]);
    await expect(readParquetColumns(file, ['rate', 'lowerBound'])).rejects.toThrow('lowerBound');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
