/**
 * Wraps the lines of a help text that are wider than `columns`, at spaces. What belongs to an item stands below its text:
 *
 *     chunk        Pensieve's environment: video only, 80 ms + bytes /
 *                  (0.95 × rate) a segment
 *
 * Examples stay on one line, so that they can be copied.
 */
export const wrapHelp = (text: string, columns: number): string =>
  text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');

const EXAMPLE = /^\s+pitwall \S/;

function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns || EXAMPLE.test(line)) return [line];
  const indent = indentOf(line, columns);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(' ', columns);
    // A word that is longer than a line stays whole.
    const end = at > indent ? at : rest.indexOf(' ', columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `${' '.repeat(indent)}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}

/** Where a line goes on: below the text of an item, or below its own beginning. */
function indentOf(line: string, columns: number): number {
  const item = /^\s*\S+ {2,}/.exec(line)?.[0].length ?? 0;
  return item > 0 && item < columns / 2 ? item : line.length - line.trimStart().length;
}
