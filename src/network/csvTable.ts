import { TextFault } from './textFault.ts';
import { MAX_FIELDS, textRows, type Field, type TextRow } from './textRows.ts';

/** A text with a header line: what the columns are called, and the lines below. */
export interface CsvTable {
  /** Names as the file has them. */
  readonly header: readonly string[];
  readonly rows: readonly TextRow[];
}

/** A quoted or plain field up to its separator or the line's end; `""` in quotes is a quote (RFC 4180). */
const FIELDS: Readonly<Record<string, RegExp>> = {
  ',': /(?:^|(?<=,))(?:\s*"(?:[^"]|"")*"\s*|[^,]*)/g,
  ';': /(?:^|(?<=;))(?:\s*"(?:[^"]|"")*"\s*|[^;]*)/g,
  '\t': /(?:^|(?<=\t))(?:[^\S\t]*"(?:[^"]|"")*"[^\S\t]*|[^\t]*)/g,
};

/** The separator is the one of the header line: comma, semicolon or tab. Null when there is none. */
export function csvTable(text: string): CsvTable | null {
  const first = /^\uFEFF?\s*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const separator = [',', ';', '\t'].find((each) => first.includes(each));
  if (separator === undefined) return null;
  const [header, ...rows] = textRows(text, FIELDS[separator]);
  if (header && header.length > MAX_FIELDS)
    throw new TextFault(`The header has more than ${MAX_FIELDS} columns.`, {
      line: 1,
      column: 1,
    });
  return header ? { header: header.map(unquoted), rows: rows.map((row) => row.map(plainField)) } : null;
}

/** The field of a column. @throws TextFault when the line is too short for it. */
export function cellOf(row: TextRow, column: number, name: string): Field {
  const field = row[column];
  if (field && field.text !== '') return field;
  throw new TextFault(`The column ${name} is empty.`, (field ?? row.at(-1)!).place);
}

const plainField = (field: Field): Field => ({ ...field, text: unquoted(field) });
const unquoted = ({ text }: Field): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
