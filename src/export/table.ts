import type { Entry } from '../shared/registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** What a cell may hold; null: the log does not say. */
export type Cell = string | number | boolean | null;

/** `integer` is a whole number of any size, `number` a double. Text of lists and records is JSON. */
export type CellType = 'text' | 'number' | 'integer' | 'boolean';

export interface TableColumn {
  readonly name: string;
  readonly type: CellType;
  /** Empty where there is none. */
  readonly unit: string;
  readonly meaning: string;
}

/** Sessions as rows: CSV and Parquet write the same tables. One file each in `tables/`, listed in `registry.ts`. */
export interface ExportTable extends Entry {
  /** What a row is. */
  readonly about: string;
  /** The first is always `session`, by which tables are joined. */
  readonly columns: readonly TableColumn[];
  /** The rows of one session, cells in the order of the columns. `file` is the name of its log. */
  rows(log: SessionLog, file: string): readonly (readonly Cell[])[];
}
