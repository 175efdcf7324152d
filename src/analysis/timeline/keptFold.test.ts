import { expect, test } from 'vitest';
import { eachBin, keptFold } from './keptFold.ts';
import { createTable, insertRow, keepRows } from './table.ts';

const MINUTE = 60_000;

/** A row each second; the fold keeps the seconds it was given. */
function secondsOf(lastMs: number) {
  const table = createTable({ atMs: Float64Array });
  for (let atMs = 0; atMs <= lastMs; atMs += 1000) insertRow(table, { atMs });
  return table;
}
function read(table: ReturnType<typeof secondsOf>, binMs = 4000) {
  const taken: [number, number][] = [];
  const fold = keptFold<number[]>(table, {
    name: 'seconds',
    binMs,
    start: () => [],
    extend(kept, from, to) {
      taken.push([from, to]);
      kept.push(...table.columns.atMs.subarray(from, to));
    },
  });
  return { taken, rows: fold.rows, kept: [...fold.kept] };
}

test('takes in whole bins that are a minute old', () => {
  const { kept, rows } = read(secondsOf(MINUTE + 9500));
  expect(kept).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
  expect(rows).toBe(9);
});
test('then takes in only what is new', () => {
  const table = secondsOf(2 * MINUTE);
  expect(read(table).taken).toEqual([[0, 61]]);
  expect(read(table).taken).toEqual([]);
  for (let atMs = 121_000; atMs <= 130_000; atMs += 1000) insertRow(table, { atMs });
  expect(read(table)).toMatchObject({ taken: [[61, 69]], rows: 69 });
});
test('is not disturbed by a row that comes late but lies behind what is folded', () => {
  const table = secondsOf(2 * MINUTE);
  read(table);
  insertRow(table, { atMs: 90_500 });
  expect(read(table).taken).toEqual([]);
});
test.each<[string, (table: ReturnType<typeof secondsOf>) => void]>([
  ['a row comes in among those folded', (table) => insertRow(table, { atMs: 1500 })],
  ['folded rows are dropped', (table) => keepRows(table, 10, [12, 14, 118, 119, 120])],
])('begins anew when %s', (_name, change) => {
  const table = secondsOf(2 * MINUTE);
  read(table);
  change(table);
  const { taken, kept, rows } = read(table);
  expect(taken).toEqual([[0, rows]]);
  expect(kept).toEqual([...table.columns.atMs.subarray(0, rows)]);
  expect(read(table).taken).toEqual([]);
});
test('begins anew with other bins', () => {
  const table = secondsOf(2 * MINUTE);
  read(table);
  expect(read(table, 8000).taken).toEqual([[0, 57]]);
});
test('a bin holds what follows the one before, its end included', () => {
  const bins: [number, number][] = [];
  eachBin(secondsOf(9000), { from: 0, to: 10, binMs: 4000 }, (from, to) => bins.push([from, to]));
  expect(bins).toEqual([
    [0, 1],
    [1, 5],
    [5, 9],
    [9, 10],
  ]);
});
