import { readingOf, TextFault } from '../text/textFault.ts';
import { amountOf, isNumber, MAX_FIELDS, textRows, type Field, type TextRow } from '../text/textRows.ts';
import {
  traceFromDurations,
  traceFromEnds,
  traceFromStarts,
  type Sample,
  type TraceFormat,
} from './traceFormat.ts';

/** A column that a header names: which, and what its numbers are multiplied by to be ms or kbit/s. */
interface Column {
  readonly index: number;
  readonly name: string;
  readonly factor: number;
}

const TIME_UNITS = { ms: 1, s: 1000, sec: 1000, seconds: 1000 };
const RATE_UNITS = {
  bps: 1e-3,
  bit_s: 1e-3,
  kbps: 1,
  kbit_s: 1,
  mbps: 1000,
  mbit_s: 1000,
  bytes_s: 8e-3,
  bytes_sec: 8e-3,
};
const RATE_NAMES = 'rate|bandwidth|bw|throughput|capacity';

/** How a column of time is called, and what a trace of it is made by. */
const TIMES = [
  { names: 'time|timestamp', traceOf: traceFromStarts },
  {
    names: 'end',
    traceOf: (samples: Sample[], name: string) => traceFromEnds(samples, { name, startMs: 0 }),
  },
  { names: 'duration', traceOf: traceFromDurations },
] as const;

const NEEDED =
  'It needs one column of time (time, end or duration, in _ms or _s) and one of rate (rate in _kbps, _mbps, _bps or _bytes_s)';

/** A header line, then numbers. Other columns are passed over. */
export const csv: TraceFormat = {
  id: 'csv',
  label: 'CSV',
  meaning: 'a header line such as "time_s,rate_kbps"; comma, semicolon or tab',
  looksLike(text) {
    const header = csvTable(text.slice(0, 2000))?.header ?? [];
    return (
      header.length > 0 && header.every((name) => !isNumber(name) && !/^\s*[[{]/.test(name)) && !isFcc(header)
    );
  },
  read: (text, name) =>
    readingOf(name, () => {
      const table = csvTable(text);
      if (!table) throw new TextFault(`${NEEDED}; the first line has no separator.`);
      const found = TIMES.flatMap(({ names, traceOf }) =>
        columnsOf(table, names, TIME_UNITS).map((time) => ({ time, traceOf })),
      );
      const rates = columnsOf(table, RATE_NAMES, RATE_UNITS);
      const [{ time, traceOf } = { time: null, traceOf: null }] = found;
      const [rate] = rates;
      if (!time || !rate || found.length > 1 || rates.length > 1)
        throw new TextFault(`${NEEDED}; the header has ${table.header.join(', ')}.`, { line: 1, column: 1 });
      const [rtt = null] = columnsOf(table, 'rtt|latency', TIME_UNITS);
      return traceOf(
        table.rows.map((row) => sampleOf(row, { time, rate, rtt })),
        name,
      );
    }),
};

/** The raw files of the FCC have columns like ours and another meaning: see `fcc.ts`. */
const isFcc = (header: readonly string[]): boolean => header.includes('unit_id');

function columnsOf({ header }: CsvTable, names: string, units: Readonly<Record<string, number>>): Column[] {
  const pattern = new RegExp(`^(?:${names})_(\\w+)$`);
  return header.flatMap((name, index) => {
    const [, unit = ''] = pattern.exec(plainName(name)) ?? [];
    const factor = units[unit];
    return factor === undefined ? [] : [{ index, name, factor }];
  });
}

/** "Rate (kbit/s)" is rate_kbit_s. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

function sampleOf(
  row: TextRow,
  { time, rate, rtt }: { time: Column; rate: Column; rtt: Column | null },
): Sample {
  const amount = ({ index, name, factor }: Column): number =>
    amountOf(cellOf(row, index, name), name) * factor;
  return {
    timeMs: amount(time),
    rateKbps: amount(rate),
    rttMs: rtt && amount(rtt),
    place: cellOf(row, time.index, time.name).place,
  };
}

/** A text with a header line: what the columns are called, and the lines below. */
interface CsvTable {
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

/** Reads a text with a header line. The separator is the one of the header line: comma, semicolon or tab. Null when there is none. */
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
