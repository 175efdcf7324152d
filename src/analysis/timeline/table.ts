/**
 * Rows of numbers, column by column, in time order. A day of playback is a few hundred thousand rows: as objects
 * they would cost some 100 bytes each, as columns 4 or 8 bytes per number. Inside a column NaN stands for null
 * (a typed array has no other way to say it); `valueAt` turns it back.
 */
export interface Table<Shape extends Columns> {
  readonly length: number;
  readonly columns: { readonly [Name in keyof Shape]: ArrayOf<Shape[Name]> };
  /** How many rows folds are built on (`keptFold.ts`), and how often one of those has moved. */
  readonly folded: { rows: number; moves: number };
}

export type Columns = { readonly atMs: Float64ArrayConstructor } & Readonly<Record<string, ColumnType>>;
type ColumnType =
  Float64ArrayConstructor | Float32ArrayConstructor | Uint32ArrayConstructor | Uint8ArrayConstructor;
type RowOf<Shape extends Columns> = { readonly [Name in keyof Shape]: number };

type ArrayOf<Type extends ColumnType> = Type extends Float64ArrayConstructor
  ? Float64Array
  : Type extends Float32ArrayConstructor
    ? Float32Array
    : Type extends Uint32ArrayConstructor
      ? Uint32Array
      : Uint8Array;
type AnyColumn = Float64Array | Float32Array | Uint32Array | Uint8Array;
interface Mutable {
  length: number;
  folded: { rows: number; moves: number };
  columns: Record<string, AnyColumn>;
}

const FIRST_CAPACITY = 64;

export function createTable<Shape extends Columns>(shape: Shape): Table<Shape> {
  const columns = Object.fromEntries(
    Object.entries(shape).map(([name, Type]) => [name, new Type(FIRST_CAPACITY)]),
  );
  return { length: 0, columns, folded: { rows: 0, moves: 0 } } as unknown as Table<Shape>;
}

/** Puts a row where its `atMs` belongs (requests are recorded when they end, so they arrive a little out of order). */
export function insertRow<Shape extends Columns>(table: Table<Shape>, row: RowOf<Shape>): void {
  const mutable = table as unknown as Mutable;
  if (mutable.length === table.columns.atMs.length) grow(mutable);
  const index = rowAfter(table, row.atMs);
  noteMoves(mutable, index);
  for (const name in mutable.columns) {
    const column = mutable.columns[name]!;
    if (index < mutable.length) column.copyWithin(index + 1, index, mutable.length);
    column[index] = row[name]!;
  }
  mutable.length += 1;
}

/** Index of the first row later than `atMs`; the row before it is the last one at or before that moment. */
export function rowAfter(table: Table<Columns>, atMs: number): number {
  const times = table.columns.atMs;
  if (table.length === 0 || times[table.length - 1]! <= atMs) return table.length;
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last row at or before `atMs` that fits; -1 when there is none. */
export function lastRow(table: Table<Columns>, atMs: number, fits: (row: number) => boolean): number {
  let row = rowAfter(table, atMs) - 1;
  while (row >= 0 && !fits(row)) row -= 1;
  return row;
}

/** The value, or null where the column says unknown or the row is not there. */
export function valueAt(column: AnyColumn, row: number): number | null {
  const value = column[row];
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Drops the rows that `keep` does not name, from `from` on, in place. `keep` is ascending. */
export function keepRows(table: Table<Columns>, from: number, keep: readonly number[]): void {
  const mutable = table as unknown as Mutable;
  noteMoves(mutable, from);
  for (const column of Object.values(mutable.columns))
    keep.forEach((row, offset) => (column[from + offset] = column[row]!));
  mutable.length = from + keep.length;
}

/** Rows from `index` on move: what was folded of them is no longer true. */
function noteMoves({ folded }: Mutable, index: number): void {
  if (index >= folded.rows) return;
  folded.rows = 0;
  folded.moves += 1;
}

function grow(table: Mutable): void {
  for (const [name, old] of Object.entries(table.columns)) {
    const Type = old.constructor as ColumnType;
    const wider = new Type(old.length * 2);
    wider.set(old);
    table.columns[name] = wider;
  }
}
