import { textTable } from './textTable.ts';

/** A table whose first columns name a row. */
export interface NamedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many columns name a row. */
  readonly names: number;
}

const GAP = 2;

/** How many columns the terminal has; a file, a pipe or a terminal of unknown width counts as one of 80. */
export const columnsNow = (): number => process.stdout.columns || 80;

/**
 * Formats a table for a terminal of so many columns. Where it is too wide, and only then: names that are the same in all rows
 * stand above it, heads take several lines, the widest names become headings of groups of rows, and the values that still
 * have no place go into further tables below. Nothing is cut.
 */
export function fittedTable(table: NamedTable, columns: number): string {
  const whole = textTable([table.head, ...table.rows], layout(table.names));
  if (widthOf(whole) <= columns || table.rows.length === 0 || table.names === table.head.length) return whole;
  const { common, rest } = withoutCommon(table);
  const { grouped, by, headings } = withHeadings(rest, columns);
  const blocks = blocksOf(grouped, columns).map((block) => formatBlock(block, headings));
  return [
    ...common,
    ...(by === null ? [] : [`Each line with — names the ${by} of the rows below it.`]),
    ...blocks,
  ].join('\n\n');
}

const layout = (left: number) => ({ left, gap: ' '.repeat(GAP), indent: '' });

const widthOf = (text: string): number =>
  text.split('\n').reduce((max, line) => Math.max(max, [...line].length), 0);

/** The names that are the same in all rows, in a line each, and the table without them. A row keeps one name at least. */
function withoutCommon({ head, rows, names }: NamedTable): { common: string[]; rest: NamedTable } {
  const places = head.map((_, place) => place);
  const isCommon = (place: number): boolean =>
    place < names && rows.length > 1 && rows.every((row) => row[place] === rows[0]![place]);
  const shared = places.filter(isCommon).slice(0, names - 1);
  const kept = places.filter((place) => !shared.includes(place));
  const pick = (row: readonly string[]): string[] => kept.map((place) => row[place] ?? '');
  const lines = shared.map((place) => `${head[place]}: ${rows[0]![place]}`);
  return {
    common: lines.length === 0 ? [] : [['The same in all rows:', ...lines].join('\n  ')],
    rest: { head: pick(head), rows: rows.map(pick), names: names - shared.length },
  };
}

interface Grouped {
  readonly grouped: NamedTable;
  /** The name that has become a heading, and what it is in each row; null where there is none. */
  readonly by: string | null;
  readonly headings: readonly string[] | null;
}

/** The widest name becomes a heading where names leave too little place for values. */
function withHeadings(table: NamedTable, columns: number): Grouped {
  const { head, rows, names } = table;
  const widths = head.slice(0, names).map((_, place) => columnWidth(table, place));
  const taken = widths.reduce((sum, width) => sum + width + GAP, 0);
  if (taken <= MAX_NAMES_SHARE * columns) return { grouped: table, by: null, headings: null };
  const widest = widths.indexOf(Math.max(...widths));
  // Rows of one heading stand together, in the order of the first of each.
  const order = [...new Set(rows.map((row) => row[widest]!))];
  const sorted = order.flatMap((heading) => rows.filter((row) => row[widest] === heading));
  const without = (row: readonly string[]): string[] => row.filter((_, place) => place !== widest);
  return {
    grouped: { head: without(head), rows: sorted.map(without), names: names - 1 },
    by: head[widest]!,
    headings: sorted.map((row) => row[widest]!),
  };
}

/** Names may take so much of a line. */
const MAX_NAMES_SHARE = 0.6;

const columnWidth = ({ head, rows }: NamedTable, place: number): number =>
  Math.max(
    ...[head, ...rows]
      .flatMap((row, line) => (line === 0 ? row[place]!.split(' ') : [row[place] ?? '']))
      .map((text) => [...text].length),
  );

/** The table in parts that fit: each has all names, and as many values as there is place for, one at least. */
function blocksOf(table: NamedTable, columns: number): NamedTable[] {
  const { head, rows, names } = table;
  const widths = head.map((_, place) => columnWidth(table, place) + GAP);
  const taken = widths.slice(0, names).reduce((sum, width) => sum + width, 0) - GAP;
  const parts: number[][] = [];
  let free = 0;
  for (let place = names; place < head.length; place += 1) {
    if (parts.length === 0 || widths[place]! > free) {
      parts.push([]);
      free = columns - taken;
    }
    parts.at(-1)!.push(place);
    free -= widths[place]!;
  }
  const named = head.slice(0, names).map((_, place) => place);
  return parts.map((part) => {
    const pick = (row: readonly string[]): string[] => [...named, ...part].map((place) => row[place] ?? '');
    return { head: pick(head), rows: rows.map(pick), names };
  });
}

function formatBlock(table: NamedTable, headings: readonly string[] | null): string {
  const heads = wrappedHeads(table);
  const lines = textTable([...heads, ...table.rows], layout(table.names)).split('\n');
  if (headings === null) return lines.join('\n');
  const said = lines
    .slice(heads.length)
    .flatMap((line, row) => (headings[row] === headings[row - 1] ? [line] : [`— ${headings[row]!}`, line]));
  return [...lines.slice(0, heads.length), ...said].join('\n');
}

/** The head in several lines: each cell as wide as its column needs, its last line at the bottom. */
function wrappedHeads(table: NamedTable): string[][] {
  const cells = table.head.map((text, place) => wrapText(text, columnWidth(table, place)));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells.map((cell) => cell[line - height + cell.length] ?? ''),
  );
}

/** Breaks a text at blanks into lines of at most `width` characters; a word that is longer stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)!} ${word}`;
    if (lines.length > 0 && [...longer].length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
