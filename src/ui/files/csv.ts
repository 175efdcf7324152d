/** A cell of a table: text from outside, a number, or nothing. */
export type Cell = string | number | boolean | null;

/**
 * One record of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front:
 * ids, labels and addresses come from other people's servers and logs.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
