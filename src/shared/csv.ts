/** What a cell of a CSV file may hold; null: unknown, written as an empty cell. */
export type CsvCell = string | number | boolean | null;

/**
 * Writes a line of CSV by RFC 4180: CRLF at the end, quotes doubled, null as an empty cell. Text that a spreadsheet
 * would run as a formula gets an apostrophe in front (OWASP, "CSV injection"): URLs, ids and names come from outside.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(formatCell).join(',')}\r\n`;

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // A tab or line break in front does not stop a spreadsheet either.
  const harmless = /^\s*[=+\-@]/.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
