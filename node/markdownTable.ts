/** A table of Markdown, the first line its head; columns as wide as their widest cell, as Prettier writes them. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const escaped = lines.map((line) => line.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = escaped[0]!.map((_, column) => Math.max(3, ...escaped.map((line) => line[column]!.length)));
  const formatRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...rows] = escaped.map(formatRow);
  return [head, formatRow(widths.map((width) => '-'.repeat(width))), ...rows].join('\n');
}
