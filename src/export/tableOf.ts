import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import type { Cell, CellType, ExportTable, TableColumn } from './table.ts';

/** A column with where its cells come from. */
export interface SourceColumn<Source> extends TableColumn {
  of(source: Source): Cell;
}

interface Description<Source> {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly columns: readonly SourceColumn<Source>[];
  sources(log: SessionLog, file: string): readonly Source[];
}

/** A table from what its rows are made of. The session's id comes first. */
export function tableOf<Source>({ columns, sources, ...named }: Description<Source>): ExportTable {
  return {
    ...named,
    columns: [SESSION, ...columns.map(({ name, type, unit, meaning }) => ({ name, type, unit, meaning }))],
    rows: (log, file) =>
      sources(log, file).map((source) => [log.id, ...columns.map((column) => column.of(source))]),
  };
}

const SESSION: TableColumn = { name: 'session', type: 'text', unit: '', meaning: 'id of the session' };

/** A column that is a field of its source. The unit stands in the name, as everywhere in the log. */
export const field = <Source extends object>(
  name: keyof Source & string,
  type: CellType,
  meaning: string,
): SourceColumn<Source> => ({
  ...{ name, type, meaning },
  unit: unitIn(name),
  of: (source) => cellOf(source[name]),
});

/** Lists and records become JSON; a race of an older log lacks what only a NetLog tells. */
export const cellOf = (value: unknown): Cell => {
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
export const unitIn = (name: string): string => UNITS.find(([ending]) => ending.test(name))?.[1] ?? '';
