/** Rows of text in columns; the first column is left-aligned, the others right. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = head.some((cell) => cell !== '') ? [head, ...rows] : rows;
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)));
  return all.map((row) => lineOf(row, widths)).join('\n');
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => {
    const cell = row[column] ?? '';
    const pad = ' '.repeat(width - [...cell].length);
    return column === 0 ? cell + pad : pad + cell;
  });
  return `  ${cells.join('   ')}`.trimEnd();
}
