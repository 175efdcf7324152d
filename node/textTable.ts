/** How a table of text looks: how many columns stand left, what is between columns and before a line. */
interface Layout {
  readonly left: number;
  readonly gap: string;
  readonly indent: string;
}

/** Formats lines of cells as plain text: columns as wide as their widest cell, names left and numbers right. */
export function textTable(
  lines: readonly (readonly string[])[],
  { left, gap, indent }: Layout = { left: 2, gap: '  ', indent: '' },
): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((max, line) => Math.max(max, lengthOf(line[column] ?? '')), 0),
  );
  return lines
    .map((line) => {
      const cells = widths.map((width, column) => {
        const cell = line[column] ?? '';
        const space = ' '.repeat(width - lengthOf(cell));
        return column < left ? cell + space : space + cell;
      });
      return `${indent}${cells.join(gap)}`.trimEnd();
    })
    .join('\n');
}

/** Formats measured values: one column of names, and no head where all of its cells are empty. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const names = head.some((cell) => cell !== '') ? [head] : [];
  // A row may have fewer cells than the head, never more.
  const lines = [...names, ...rows].map((row) => head.map((_, column) => row[column] ?? ''));
  return textTable(lines, { left: 1, gap: '   ', indent: '  ' });
}

/** In characters, not in UTF-16 units. */
const lengthOf = (cell: string): number => [...cell].length;

/** Formats a table of Markdown, the first line its head; columns as wide as their widest cell, as Prettier writes them. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const escaped = lines.map((line) => line.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = escaped[0]!.map((_, column) => Math.max(3, ...escaped.map((line) => line[column]!.length)));
  const formatRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...rows] = escaped.map(formatRow);
  return [head, formatRow(widths.map((width) => '-'.repeat(width))), ...rows].join('\n');
}
