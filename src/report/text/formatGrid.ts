import { plain } from './plain.ts';
import { formatCell } from '../formatCell.ts';
import { columnNames } from '../columnNames.ts';
import type { ReportTable } from '../reportTable.ts';

/** A table as Markdown, numbers to the right. */
export function formatGrid(table: Pick<ReportTable, 'columns' | 'rows'>): string {
  const lines = [
    columnNames(table),
    table.columns.map(({ isText }) => (isText ? '---' : '---:')),
    ...table.rows.map((row) => row.map((cell, index) => formatCell(cell, table.columns[index]!))),
  ];
  return lines.map((cells) => `| ${cells.map(plain).join(' | ')} |`).join('\n');
}
