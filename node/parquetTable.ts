import { readFile } from 'node:fs/promises';
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetMetadata,
  parquetRead,
  type KeyValue,
  type SchemaElement,
} from 'hyparquet';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import type { Cell, CellType, TableColumn } from '../src/export/table.ts';

export const CREATED_BY = 'Pitwall';

const TYPES: Readonly<Record<CellType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

/** The schema of a table as Parquet has it. Every column may be unknown. */
export const schemaOf = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: 'session_log', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const })),
];

/** Units and meanings of the columns, as JSON. */
export const columnMetadata = (columns: readonly TableColumn[]): KeyValue[] => [
  { key: 'pitwall.units', value: JSON.stringify(byName(columns, 'unit')) },
  { key: 'pitwall.meanings', value: JSON.stringify(byName(columns, 'meaning')) },
];

const byName = (columns: readonly TableColumn[], what: 'unit' | 'meaning'): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column.name, column[what]]));

/** Rows of cells as columns. */
export const columnDataOf = (
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): ColumnSource[] =>
  columns.map(({ name, type }, at) => ({ name, data: rows.map((row) => stored(row[at]!, type)) }));

/** A foreign server may count in fractions (Server-Timing). */
const stored = (cell: Cell, type: CellType): Cell | bigint =>
  type === 'integer' && cell !== null ? BigInt(Math.round(cell as number)) : cell;

/** A table with few rows as one Parquet file, in memory. `metadata` stands beside units and meanings. */
export function parquetBytes(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const more = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columnDataOf(columns, rows),
      schema: schemaOf(columns),
      rowGroupSize: Math.max(1, rows.length),
      createdBy: CREATED_BY,
      kvMetadata: [...columnMetadata(columns), ...more],
    }),
  );
}

/** What the end of a Parquet file says of it. */
interface ParquetFooter {
  readonly rows: number;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Reads the end of a Parquet file; null where there is no such file, or it is cut off. */
export async function readParquetFooter(file: string): Promise<ParquetFooter | null> {
  try {
    const { num_rows: rows, key_value_metadata: pairs = [] } = await parquetMetadataAsync(
      await asyncBufferFromFile(file),
    );
    return { rows: Number(rows), metadata: new Map(pairs.map(({ key, value = '' }) => [key, value])) };
  } catch {
    return null;
  }
}

/**
 * The cells of some columns of a Parquet file, by name; `integer` columns come back as bigint. Columns of `later` are left out
 * where the file has none, because an older version wrote it. @throws Error of a file that cannot be read
 */
export async function readParquetColumns(
  file: string,
  needed: readonly string[],
  later: readonly string[] = [],
): Promise<ReadonlyMap<string, ArrayLike<unknown>>> {
  const bytes = await readFile(file);
  // Small files share a pool of Node.
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(buffer);
  const there = new Set(metadata.schema.map(({ name }) => name));
  const names = [...needed, ...later.filter((name) => there.has(name))];
  const columns = new Map<string, ArrayLike<unknown>>(names.map((name) => [name, []]));
  const count = Number(metadata.num_rows);
  await parquetRead({
    file: buffer,
    metadata,
    columns: names,
    onChunk({ columnName, columnData, rowStart }) {
      if (columnData.length === count) columns.set(columnName, columnData);
      else
        for (let row = 0; row < columnData.length; row++)
          (columns.get(columnName) as unknown[])[rowStart + row] = columnData[row];
    },
  });
  return columns;
}
