import type { Entry } from '../../src/shared/registry.ts';
import type { Cell, ExportTable } from '../../src/export/table.ts';
import { appendFileSync, writeFileSync } from 'node:fs';
import { CREATED_BY, columnDataOf, columnMetadata, schemaOf } from '../../node/parquetTable.ts';
import { csvLine } from '../../src/shared/csv.ts';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';

/** So many rows are held before they are written as a row group: memory does not grow with the number of sessions. */
const GROUP_ROWS = 20_000;

/** A table as Apache Parquet. Units and meanings of the columns stand in its key-value metadata, as JSON. */
function parquetFile(table: ExportTable, file: string): TableFile {
  const { columns } = table;
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaOf(columns),
    createdBy: CREATED_BY,
    kvMetadata: columnMetadata(columns),
  });
  let held: (readonly Cell[])[] = [];
  const flush = (): void => {
    void writer.write({ columnData: columnDataOf(columns, held), rowGroupSize: GROUP_ROWS });
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

/** A table as CSV, a session at a time. */
function csvFile({ columns }: ExportTable, file: string): TableFile {
  writeFileSync(file, csvLine(columns.map(({ name }) => name)));
  return { append: (rows) => appendFileSync(file, rows.map(csvLine).join('')), end: () => undefined };
}

/** A file that grows session by session. */
export interface TableFile {
  append(rows: readonly (readonly Cell[])[]): void;
  /** Writes what is left; the file is whole then. */
  end(): void;
}

/** A way to write tables to files; its id is their ending. */
export interface TableForm extends Entry {
  readonly about: string;
  create(table: ExportTable, file: string): TableFile;
}

export const tableForms: readonly TableForm[] = [
  {
    id: 'csv',
    label: 'CSV',
    about: 'a file for each table, for spreadsheets, pandas and DuckDB',
    create: csvFile,
  },
  {
    id: 'parquet',
    label: 'Parquet',
    about: 'the same tables as Apache Parquet: typed, much smaller, for thousands of sessions',
    create: parquetFile,
  },
];
