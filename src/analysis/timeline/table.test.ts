import { describe, expect, test } from 'vitest';
import { createTable, insertRow, keepRows, lastRow, rowAfter, valueAt } from './table.ts';

const SHAPE = { atMs: Float64Array, value: Float32Array } as const;

function tableOf(...times: number[]) {
  const table = createTable(SHAPE);
  for (const atMs of times) insertRow(table, { atMs, value: atMs * 10 });
  return table;
}
const rows = (table: ReturnType<typeof tableOf>) =>
  Array.from({ length: table.length }, (_, row) => [table.columns.atMs[row], table.columns.value[row]]);

describe('a table', () => {
  test('keeps rows in time order, the later of two at one moment last', () => {
    const table = tableOf(1, 5, 3);
    insertRow(table, { atMs: 3, value: 7 });
    expect(rows(table)).toEqual([
      [1, 10],
      [3, 30],
      [3, 7],
      [5, 50],
    ]);
  });
  test('grows beyond its first capacity without losing a row', () => {
    const times = Array.from({ length: 1000 }, (_, index) => 1000 - index);
    expect(rows(tableOf(...times)).map(([atMs]) => atMs)).toEqual([...times].reverse());
  });
  test.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [5, 3],
    [9, 3],
  ])('rowAfter(%d) is %d', (atMs, row) => expect(rowAfter(tableOf(1, 3, 5), atMs)).toBe(row));
  test('lastRow looks back for one that fits', () => {
    const table = tableOf(1, 3, 5);
    expect(lastRow(table, 5, (row) => row < 2)).toBe(1);
    expect(lastRow(table, 0, () => true)).toBe(-1);
  });
  test('says null for NaN and for a row that is not there', () => {
    const table = createTable(SHAPE);
    insertRow(table, { atMs: 1, value: NaN });
    expect(valueAt(table.columns.value, 0)).toBeNull();
    expect(valueAt(table.columns.value, -1)).toBeNull();
    expect(valueAt(table.columns.atMs, 0)).toBe(1);
  });
  test('keepRows drops what is not named, from a row on', () => {
    const table = tableOf(1, 2, 3, 4, 5);
    keepRows(table, 1, [2, 4]);
    expect(rows(table)).toEqual([
      [1, 10],
      [3, 30],
      [5, 50],
    ]);
  });
});
