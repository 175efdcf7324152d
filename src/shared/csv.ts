/** What a cell of a CSV file may hold; null: unknown, written as an empty cell. */
export type CsvCell = string | number | boolean | null;

/**
 * Writes a line of CSV by RFC 4180: CRLF at the end, quotes doubled, null as an empty cell. Text that a spreadsheet
 * would run as a formula gets an apostrophe in front (OWASP, "CSV injection"): URLs, ids and names come from outside. A sign, digits
 * and letters, as in -95dBm, are no formula: names of networks stay as they are, so that tables can be joined by them.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(formatCell).join(',')}\r\n`;

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // A tab or line break in front does not stop a spreadsheet either.
  const isFormula = /^\s*[=+\-@]/.test(cell) && !/^[+-]\d+[a-z][\w.]*$/i.test(cell);
  const harmless = isFormula || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * The cells of a CSV file by RFC 4180, a list for each line, as `csvLine` writes them: quotes are removed, an unknown value
 * is an empty text, and an apostrophe in front of a formula stays.
 */
export function parseCsv(text: string): string[][] {
  const CELL = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y;
  const lines: string[][] = [[]];
  while (CELL.lastIndex < text.length) {
    const place = CELL.lastIndex;
    const [, cell, end] = CELL.exec(text) ?? [];
    if (cell === undefined) throw new Error(`character ${place + 1}: It is no CSV: a quote has no partner.`);
    lines.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === ',' && CELL.lastIndex === text.length) lines.at(-1)!.push('');
    if (end !== ',' && CELL.lastIndex < text.length) lines.push([]);
  }
  return lines;
}
