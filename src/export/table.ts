import type { Entry } from '../shared/registry.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { columnOf } from '../telemetry/sessionFile.ts';

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

/** Sessions as rows: CSV and Parquet write the same tables. Defined in `tables/`, listed in `registry.ts`. */
export interface ExportTable extends Entry {
  /** What a row is. */
  readonly about: string;
  /** The first is always `session`, by which tables are joined. */
  readonly columns: readonly TableColumn[];
  /** The rows of one session, cells in the order of the columns. `file` is the name of its log; null where it has no file. */
  rows(log: SessionLog, file: string | null): readonly (readonly Cell[])[];
}

/** A column with where its cells come from. */
export interface SourceColumn<Source> extends TableColumn {
  of(source: Source): Cell;
}

interface Description<Source> extends Pick<ExportTable, 'id' | 'label' | 'about'> {
  readonly columns: readonly SourceColumn<Source>[];
  sources(log: SessionLog, file: string | null): readonly Source[];
}

/** Makes a table from what its rows are made of. The session's id comes first. */
export function tableOf<Source>({ columns, sources, ...named }: Description<Source>): ExportTable {
  return {
    ...named,
    columns: [SESSION, ...columns.map(({ name, type, unit, meaning }) => ({ name, type, unit, meaning }))],
    rows: (log, file) =>
      sources(log, file).map((source) => [log.id, ...columns.map((column) => column.of(source))]),
  };
}

const SESSION: TableColumn = { name: 'session', type: 'text', unit: '', meaning: 'id of the session' };

/** A column that is a field of its source, named by `columnOf`. The unit stands in the name, as everywhere in the log. */
export const field = <Source extends object>(
  name: keyof Source & string,
  type: CellType,
  meaning: string,
): SourceColumn<Source> => ({
  name: columnOf(name),
  type,
  meaning,
  unit: unitIn(name),
  of: (source) => cellOf(source[name]),
});

/** Lists and records become JSON; a race of an older log lacks what only a NetLog tells. */
const cellOf = (value: unknown): Cell => {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
};

const UNITS: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/UnixMs$/, 'ms since 1970'],
  [/Ms$/, 'ms'],
  [/Bytes$/, 'bytes'],
  [/Kbps$/, 'kbit/s'],
  [/Packets$/, 'packets'],
];

/** The unit that a field's name ends in. */
const unitIn = (name: string): string => UNITS.find(([ending]) => ending.test(name))?.[1] ?? '';

/** The column of the reasons why fields are unknown, in one cell: "protocol=no-tao status=failed". */
export const missingColumn: SourceColumn<{ readonly missing: Readonly<Record<string, string>> }> = {
  name: 'missing',
  type: 'text',
  unit: '',
  meaning: 'why fields are unknown: field=reason …',
  of({ missing }) {
    const reasons = Object.entries(missing).map(([name, reason]) => `${name}=${reason}`);
    return reasons.length > 0 ? reasons.join(' ') : null;
  },
};
