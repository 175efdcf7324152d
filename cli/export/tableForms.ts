import { csvFile } from './csvFile.ts';
import { parquetFile } from './parquetFile.ts';
import type { Entry } from '../../src/shared/registry.ts';
import type { Cell, ExportTable } from '../../src/export/table.ts';

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
