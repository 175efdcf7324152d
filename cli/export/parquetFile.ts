import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { TableFile } from './tableForms.ts';
import type { Cell, CellType, ExportTable, TableColumn } from '../../src/export/table.ts';

/** So many rows are held before they are written as a row group: memory does not grow with the number of sessions. */
const GROUP_ROWS = 20_000;

/** A table as Apache Parquet. Units and meanings of the columns stand in its key-value metadata, as JSON. */
export function parquetFile(table: ExportTable, file: string): TableFile {
  const { columns } = table;
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaOf(columns),
    createdBy: 'Pitwall',
    kvMetadata: [
      { key: 'pitwall.units', value: JSON.stringify(of(columns, 'unit')) },
      { key: 'pitwall.meanings', value: JSON.stringify(of(columns, 'meaning')) },
    ],
  });
  let held: (readonly Cell[])[] = [];
  const flush = (): void => {
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      data: held.map((row) => stored(row[at]!, type)),
    }));
    void writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    held = [];
  };
  return {
    append(rows) {
      held = held.concat(rows);
      if (held.length >= GROUP_ROWS) flush();
    },
    end() {
      flush();
      void writer.finish();
    },
  };
}

const TYPES: Readonly<Record<CellType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

/** Every column may be unknown. */
const schemaOf = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: 'session_log', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ name, ...TYPES[type], repetition_type: 'OPTIONAL' as const })),
];

const stored = (cell: Cell, type: CellType): Cell | bigint =>
  type === 'integer' && cell !== null ? BigInt(cell as number) : cell;

const of = (columns: readonly TableColumn[], what: 'unit' | 'meaning'): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column.name, column[what]]));
