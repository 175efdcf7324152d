import { TextFault, type Place } from './textFault.ts';

/** A field of a line, and where it begins. */
export interface Field {
  readonly text: string;
  readonly place: Place;
}

export type TextRow = readonly Field[];

/** A recording has some dozen columns. Of a line with more than this, one field more is kept, and the rest left out. */
export const MAX_FIELDS = 10_000;

/**
 * The lines that have something on them, cut into fields, one after the other: a recording may have millions of lines, and
 * objects for all of them take fifty times its size. Line ends may be LF or CRLF; a byte order mark is skipped.
 */
export function* textRows(text: string, field = /\S+/g): Generator<TextRow, undefined, undefined> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let line = 1; start <= text.length; line++) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const row = fieldsOf(text.slice(start, text[end - 1] === '\r' ? end - 1 : end), line, field);
    if (row.length > 0) yield row;
    start = end + 1;
  }
  return undefined;
}

/** What is made of each row, one after the other. */
export function* mapRows<Item>(rows: Iterable<TextRow>, item: (row: TextRow) => Item): Iterable<Item> {
  for (const row of rows) yield item(row);
}

function fieldsOf(text: string, line: number, field: RegExp): TextRow {
  const fields: Field[] = [];
  if (text.trim() === '') return fields;
  for (const match of text.matchAll(field)) {
    const indent = match[0].length - match[0].trimStart().length;
    fields.push({ text: match[0].trim(), place: { line, column: match.index + 1 + indent } });
    if (fields.length > MAX_FIELDS) break;
  }
  return fields;
}

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export const isNumber = (text: string): boolean => NUMBER.test(text) && Number.isFinite(Number(text));

/** The number ≥ 0 in a field. @throws TextFault */
export function amountOf({ text, place }: Field, what: string): number {
  if (!isNumber(text)) throw new TextFault(`${what} is ${quoted(text)}, which is not a number.`, place);
  const amount = Number(text);
  if (amount < 0) throw new TextFault(`${what} is ${text}; it cannot be negative.`, place);
  return amount;
}

/** The field at an index. @throws TextFault when the line ends before it. */
export function fieldAt(row: TextRow, index: number, what: string): Field {
  const field = row[index];
  if (field) return field;
  const last = row.at(-1)!;
  const column = last.place.column + last.text.length;
  throw new TextFault(`${what} is missing.`, { line: last.place.line, column });
}

const quoted = (text: string): string => JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
