import type { RateTrace } from '../rateTrace.ts';
import { readingOf, TextFault } from '../text/textFault.ts';
import {
  amountOf,
  isNumber,
  mapRows,
  MAX_FIELDS,
  textRows,
  type Field,
  type TextRow,
} from '../text/textRows.ts';
import {
  longestPieceMs,
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

const TIME_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, seconds: 1000 };

/** `Mbps`, `kbit_s`, `MB_s`, `bytes_sec`: a prefix, bits or bytes, and per second. */
const RATE_UNIT = /^([kmg]?)(bits?|bytes?|b)(ps|_s|_sec)$/i;
/** In kbit/s. */
const PREFIXES: Readonly<Record<string, number>> = { '': 1e-3, k: 1, m: 1e3, g: 1e6 };
const RATE_NAMES = 'rate|bandwidth|bw|throughput|capacity';

/** How a column of time is called, and what a trace of it is made by. */
const TIMES = [
  { names: 'time|timestamp', traceOf: traceFromStarts },
  { names: 'end', traceOf: traceFromOwnEnds },
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
        columnsOf(table, names, timeFactor).map((time) => ({ time, traceOf })),
      );
      const rates = columnsOf(table, RATE_NAMES, rateFactor);
      const [{ time, traceOf } = { time: null, traceOf: null }] = found;
      const [rate] = rates;
      if (!time || !rate || found.length > 1 || rates.length > 1)
        throw new TextFault(`${NEEDED}; the header has ${table.header.join(', ')}.`, { line: 1, column: 1 });
      const [rtt = null] = columnsOf(table, 'rtt|latency', timeFactor);
      return traceOf(
        mapRows(table.rows, (row) => sampleOf(row, { time, rate, rtt })),
        name,
      );
    }),
};

/** Nobody measures the first piece so much longer than the others: its end is that of a clock. */
const MAX_TIMES_LONGER = 10;

/** A trace of samples that state when they ended, counted from the trace's beginning. @throws TextFault */
function traceFromOwnEnds(samples: Iterable<Sample>, name: string): RateTrace {
  const trace = traceFromEnds(samples, { name, startMs: 0 });
  const firstMs = trace.endMs[0]!;
  const longestMs = longestPieceMs(trace.endMs.subarray(1), firstMs);
  if (trace.endMs.length > 1 && firstMs > MAX_TIMES_LONGER * longestMs)
    throw new TextFault(
      `The first piece would last from 0 to ${firstMs / 1000} s, and no other is longer than ${longestMs / 1000} s: count the end from the beginning of the trace, or give each duration.`,
      { line: 2, column: 1 },
    );
  return trace;
}

/** The raw files of the FCC have columns like ours and another meaning: see `fcc.ts`. */
const isFcc = (header: readonly string[]): boolean => header.includes('unit_id');

/** What the numbers of a unit are multiplied by; undefined for a unit that is not known. */
type FactorOf = (unit: string, name: string) => number | undefined;

function columnsOf({ header }: CsvTable, names: string, factorOf: FactorOf): Column[] {
  const pattern = new RegExp(`^(${names})_(\\w+)$`, 'i');
  return header.flatMap((name, index) => {
    const [, stem = '', unit = ''] = pattern.exec(plainName(name)) ?? [];
    const factor = factorOf(unit, stem.toLowerCase());
    return factor === undefined ? [] : [{ index, name, factor }];
  });
}

/** "Rate (kbit/s)" is Rate_kbit_s. Capitals stay: `Mbps` and `MBps` differ by eight. */
const plainName = (name: string): string => name.replace(/[^a-z0-9]+/gi, '_').replace(/^_|_$/g, '');

const timeFactor: FactorOf = (unit) => TIME_UNITS[unit.toLowerCase()];

/** @throws TextFault for a unit that some use for bits and others for bytes */
const rateFactor: FactorOf = (unit, stem) => {
  const [, prefix = '', amount, per = ''] = RATE_UNIT.exec(unit) ?? [];
  if (amount === undefined) return undefined;
  const isBytes = isInBytes({ prefix, amount, per });
  const symbol = prefix.toLowerCase();
  if (isBytes === null)
    throw new TextFault(
      `A rate in ${unit} may be in bits or in bytes: call it ${stem}_${symbol}bit_s or ${stem}_${symbol}bytes_s.`,
      { line: 1, column: 1 },
    );
  return PREFIXES[symbol]! * (isBytes ? 8 : 1);
};

/**
 * b is bits and B is bytes (IEEE 1541). null where the capitals say nothing: all are capitals (`MBPS`), or none in `mb_s`;
 * `mbps` is megabits to everybody.
 */
function isInBytes(unit: { prefix: string; amount: string; per: string }): boolean | null {
  if (unit.amount.length > 1) return /^byte/i.test(unit.amount);
  if (unit.amount === 'B') return unit.per === unit.per.toLowerCase() ? true : null;
  return unit.per.toLowerCase() === 'ps' || /[A-Z]/.test(unit.prefix) ? false : null;
}

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
  /** To go through once: they are read while this is done. */
  readonly rows: Iterable<TextRow>;
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
  const rows = textRows(text, FIELDS[separator]);
  const header = rows.next().value;
  if (header && header.length > MAX_FIELDS)
    throw new TextFault(`The header has more than ${MAX_FIELDS} columns.`, {
      line: 1,
      column: 1,
    });
  return header ? { header: header.map(unquoted), rows: mapRows(rows, (row) => row.map(plainField)) } : null;
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
