import type { ReportTable } from './reportTable.ts';

/** The columns of a table in one line, as CSV and programs need them: with the heading of their group. */
export const columnNames = ({ columns }: Pick<ReportTable, 'columns'>): string[] =>
  columns.map(({ label, group }) => (group === undefined ? label : `${group}, ${label}`));
