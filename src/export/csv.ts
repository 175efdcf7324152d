import type { Cell, ExportTable } from './table.ts';

/**
 * A table as CSV by RFC 4180: CRLF, UTF-8, unknown is an empty cell. Text that a spreadsheet would run as a formula gets an
 * apostrophe in front (OWASP, "CSV injection"): URLs and names come from outside.
 */
export const csvHead = ({ columns }: ExportTable): string => lineOf(columns.map(({ name }) => name));

export const csvRows = (rows: readonly (readonly Cell[])[]): string => rows.map(lineOf).join('');

const lineOf = (cells: readonly Cell[]): string => `${cells.map(formatCell).join(',')}\r\n`;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = /^\s*[=+\-@]/.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
