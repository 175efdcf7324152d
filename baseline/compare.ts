import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Files } from './bundle.ts';

/** Renames that a comparison allows, old word → new word, and what was added. Everything else has to be as it was. */
export interface Renames {
  /** Renamed fields in JSON and columns in CSV. */
  readonly names: Readonly<Record<string, string | readonly string[]>>;
  /** Renamed values that are words (`speaking`), renamed parts of such values (`bola/h2/speaking`), and renamed files. */
  readonly values: Readonly<Record<string, string>>;
  /** Parts of sentences whose new wording has its numbers in another order, which stand as `{1}`, `{2}` in both. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Fields in JSON and columns of CSV that the recorded files do not have. */
  readonly added: readonly string[];
}

interface Difference {
  /** Name of the file; `place` is a path in JSON, a row and column of CSV, or the place of a number in a text. */
  readonly file: string;
  readonly place: string;
  readonly was: string;
  readonly is: string;
}

export const readRenames = (): Renames =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'renames.json'), 'utf8')) as Renames;

/** The most differences that are reported of one file; the first ones show what is wrong. */
const MAX_SHOWN = 10;

/** Finds every difference that the list of renames does not allow. */
export function differences(was: Files, is: Files, renames: Renames): Difference[] {
  const found: Difference[] = [];
  const names = new Map(Object.keys(is).map((name) => [name, true]));
  for (const [file, text] of Object.entries(was)) {
    const name = [file, renamed(file, renames.values)].find((each) => names.delete(each));
    const inFile = (difference: Omit<Difference, 'file'>): Difference => ({ file, ...difference });
    if (name === undefined) found.push(inFile({ place: '', was: 'a file', is: 'no file' }));
    else
      found.push(
        ...differencesIn(file, { was: text, is: is[name]!, renames }).slice(0, MAX_SHOWN).map(inFile),
      );
  }
  for (const file of names.keys()) found.push({ file, place: '', was: 'no file', is: 'a file' });
  return found;
}

interface Both<Value> {
  readonly was: Value;
  readonly is: Value;
  readonly renames: Renames;
}
type Found = Omit<Difference, 'file'>;

function differencesIn(file: string, both: Both<string>): Found[] {
  if (both.was === both.is) return [];
  const compare = comparers.find(({ takes }) => takes(file, both.was))!.compare;
  return [...compare(both)];
}

interface Comparer {
  readonly takes: (file: string, text: string) => boolean;
  readonly compare: (both: Both<string>) => Iterable<Found>;
}

const comparers: readonly Comparer[] = [
  { takes: (file) => /\.(?:sqlog|jsonl)$/.test(file), compare: inLines },
  { takes: (_file, text) => json(text) !== undefined, compare: inJsonText },
  {
    takes: (file, text) => file.endsWith('.csv') || /^\w[\w-]*(?:,[\w.-]*){2,}\n/.test(text),
    compare: inCsv,
  },
  { takes: (file) => file.endsWith('.html'), compare: (both) => inText(mapped(both, withoutLooks)) },
  { takes: () => true, compare: inText },
];

const mapped = ({ was, is, renames }: Both<string>, change: (text: string) => string): Both<string> => ({
  was: change(was),
  is: change(is),
  renames,
});

function json(text: string): unknown {
  if (!/^[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function* inJsonText({ was, is, renames }: Both<string>): Iterable<Found> {
  const value = json(is);
  if (value === undefined) yield { place: '', was: 'JSON', is: brief(is) };
  else yield* inJson({ was: json(was), is: value, renames }, '');
}

function* inJson({ was, is, renames }: Both<unknown>, place: string): Iterable<Found> {
  if (typeof was === 'string' && typeof is === 'string') {
    if (!sameString({ was, is, renames })) yield { place, was: brief(was), is: brief(is) };
  } else if (Array.isArray(was) && Array.isArray(is)) {
    yield* sameCount(was, is, place);
    for (const [index, each] of was.slice(0, is.length).entries())
      yield* inJson({ was: each, is: is[index] as unknown, renames }, `${place}/${index}`);
  } else if (isObject(was) && isObject(is)) yield* inObject({ was, is, renames }, place);
  else if (!Object.is(was, is)) yield { place, was: brief(was), is: brief(is) };
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* inObject({ was, is, renames }: Both<Fields>, place: string): Iterable<Found> {
  const left = new Set(Object.keys(is));
  for (const [name, value] of Object.entries(was)) {
    const now = [...namesOf(name, renames), renamed(name, renames.values)].find((each) => left.delete(each));
    if (now === undefined) yield { place: `${place}/${name}`, was: brief(value), is: 'no such field' };
    else yield* inJson({ was: value, is: is[now], renames }, `${place}/${name}`);
  }
  for (const name of left)
    if (!renames.added.includes(name))
      yield { place: `${place}/${name}`, was: 'no such field', is: brief(is[name]) };
}

function* sameCount(was: readonly unknown[], is: readonly unknown[], place: string): Iterable<Found> {
  if (was.length !== is.length) yield { place, was: `${was.length} entries`, is: `${is.length} entries` };
}

/** Compares texts with one JSON object a line, also as JSON text sequences (RFC 7464). */
function* inLines({ was, is, renames }: Both<string>): Iterable<Found> {
  const [old, now] = [linesOf(was), linesOf(is)];
  yield* sameCount(old, now, '');
  for (const [index, line] of old.slice(0, now.length).entries())
    for (const found of differencesIn('', { was: line, is: now[index]!, renames }))
      yield { ...found, place: `line ${index + 1} ${found.place}` };
}

const RECORD_SEPARATOR = String.fromCharCode(0x1e);
const linesOf = (text: string): string[] =>
  text
    .replaceAll(RECORD_SEPARATOR, '')
    .split('\n')
    .filter((line) => line !== '');

function* inCsv({ was, is, renames }: Both<string>): Iterable<Found> {
  const old = rowsOf(was);
  const now = withoutAdded(
    rowsOf(is),
    renames.added.filter((name) => !old[0]?.includes(name)),
  );
  yield* sameCount(old, now, 'rows');
  for (const [index, cells] of old.slice(0, now.length).entries()) {
    yield* sameCount(cells, now[index]!, `row ${index + 1}`);
    for (const [column, cell] of cells.entries()) {
      const other = now[index]![column] ?? '';
      const same =
        index === 0
          ? [...namesOf(cell, renames), renamed(cell, renames.values)].includes(other)
          : sameString({ was: cell, is: other, renames });
      if (!same)
        yield { place: `row ${index + 1}, ${old[0]![column] ?? column}`, was: brief(cell), is: brief(other) };
    }
  }
}

function withoutAdded(rows: string[][], added: readonly string[]): string[][] {
  const kept = rows[0]?.map((name) => !added.includes(name)) ?? [];
  return rows.map((cells) => cells.filter((_, column) => kept[column] ?? true));
}

/** Splits CSV (RFC 4180) into its rows of cells. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [['']];
  const pieces = text.split('"');
  for (const [index, piece] of pieces.entries()) {
    const isQuoted = index % 2 === 1;
    // Nothing between two quoted pieces: the quote itself, doubled.
    const isQuote = piece === '' && !isQuoted && index > 0 && index < pieces.length - 1;
    if (isQuoted || isQuote) addToCell(rows, isQuote ? '"' : piece);
    else addCells(rows, piece);
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}

function addToCell(rows: string[][], text: string): void {
  const row = rows.at(-1)!;
  row.push(row.pop()! + text);
}

function addCells(rows: string[][], text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) rows.push(['']);
    const [first = '', ...others] = line.split(',');
    addToCell(rows, first);
    rows.at(-1)!.push(...others);
  }
}

/** Removes colours and classes, which are no results, from HTML. A table to download is a result, and is text, too. */
const withoutLooks = (html: string): string =>
  html
    .replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    .replaceAll(/ class="[^"]*"/g, '')
    .replaceAll(/"data:text[^"]*"/g, (address) => decodeURIComponent(address));

/** Compares texts: words may change; numbers, ids and hashes may not, nor their order. */
function* inText({ was, is, renames }: Both<string>): Iterable<Found> {
  const [old, now] = [tokensOf(reworded(was, renames)), tokensOf(is)];
  const count = Math.max(old.length, now.length);
  for (let index = 0; index < count; index += 1) {
    const [one, other] = [old[index], now[index]];
    if (one !== undefined && other !== undefined && sameWord({ was: one, is: other, renames })) continue;
    const around = (tokens: readonly string[]): string => tokens.slice(index, index + 5).join(' ');
    yield { place: `token ${index + 1} of ${old.length}`, was: around(old), is: around(now) };
    return;
  }
}

function reworded(text: string, { sentences }: Renames): string {
  return Object.entries(sentences).reduce((changed, [was, is]) => {
    const places = [...was.matchAll(/\{(\d)\}/g)].map(([, place]) => place);
    const literal = was.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\d\}/g, '(\\S{1,80})');
    return changed.replaceAll(new RegExp(literal, 'g'), (...found: string[]) =>
      is.replaceAll(/\{(\d)\}/g, (_, place: string) => found[places.indexOf(place) + 1] ?? ''),
    );
  }, text);
}

/** Finds all that has a digit: numbers, ids and hashes, as they are written but for the two signs that mean minus. */
const tokensOf = (text: string): string[] =>
  text
    .replaceAll('−', '-')
    .split(/[\s()[\]{}<>"'“”‘’«»,;:!?|*_`=/~%&#…·]+/)
    .flatMap((part) => {
      const token = part.replace(/[.-]$/, '');
      return /\d/.test(token) ? [token] : [];
    });

/** Compares two strings: prose may change its words; a word, an id or an address changes by the list only. */
function sameString({ was, is, renames }: Both<string>): boolean {
  if (sameWord({ was, is, renames })) return true;
  return was.includes(' ') && [...inText({ was, is, renames })].length === 0;
}

const sameWord = ({ was, is, renames }: Both<string>): boolean =>
  was === is || renamed(was, renames.values) === is;

/** Returns the names that a field or column may have now: the old name, and those that the list gives it. */
const namesOf = (name: string, { names }: Renames): readonly string[] => [
  name,
  ...(Object.hasOwn(names, name) ? [names[name]!].flat() : []),
];

/** Renames a word as a whole, or else part by part: `bola/h2/speaking`, `speaking.json`. */
function renamed(word: string, list: Readonly<Record<string, string>>): string {
  const known = (each: string): string => (Object.hasOwn(list, each) ? list[each]! : each);
  return known(word) !== word
    ? known(word)
    : word
        .split(/([/:,=.~])/)
        .map(known)
        .join('');
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
