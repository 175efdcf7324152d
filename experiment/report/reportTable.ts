import { csvLine } from '../../src/shared/csv.ts';
import { formatNumber } from '../../src/shared/format.ts';

/** A table of a report, however it is written: as HTML, Markdown, JSON or CSV. */
export interface ReportTable {
  /** Kebab-case; names the CSV file and the anchor. */
  readonly id: string;
  readonly title: string;
  /** What stands in the table and how to read it. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface TableColumn {
  readonly label: string;
  /** A heading over this column and its neighbours of the same group. */
  readonly group?: string;
  /** Number of decimals of the column's numbers, for people; absent: numbers stand as they are. */
  readonly decimals?: number;
  /** Whether cells are words, which stand left; numbers stand right. */
  readonly isText?: boolean;
}

/** Cell of a table; null is unknown. */
export type Cell = string | number | null;

/** Returns the columns of a table in one line, as CSV and programs need them: with the heading of their group. */
export const columnNames = ({ columns }: Pick<ReportTable, 'columns'>): string[] =>
  columns.map(({ label, group }) => (group === undefined ? label : `${group}, ${label}`));

/** Formats a cell for people, with its column's decimals, and a dash for what is not known. */
export function formatCell(cell: Cell, { decimals }: Pick<TableColumn, 'decimals'>): string {
  if (cell === null || cell === '') return '–';
  if (typeof cell === 'string') return cell;
  return decimals === undefined ? plain(cell).replace('-', '−') : formatNumber(cell, decimals);
}

/** Formats a number with four significant digits; whole numbers stand whole. */
const plain = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));

/** Formats a table as CSV: a heading, then numbers as they are. */
export const formatCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map(csvLine).join('');

/** `h1`, `h2 and h3-only`, `h1, h2 and h3-only`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
