/** Lines of cells as plain text: columns as wide as their widest cell, numbers to the right. */
export function textTable(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => padded(cell, widths[column] ?? 0, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const padded = (cell: string, width: number, column: number): string =>
  column < 2 ? cell.padEnd(width) : cell.padStart(width);
