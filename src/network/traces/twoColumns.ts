import type { RateTrace } from '../rateTrace.ts';
import { readingOf, TextFault } from '../text/textFault.ts';
import { amountOf, fieldAt, isNumber, mapRows, textRows, type TextRow } from '../text/textRows.ts';
import {
  longestPieceMs,
  traceFromEnds,
  traceFromStarts,
  type Sample,
  type TraceFormat,
} from './traceFormat.ts';

const COOKED_UNITS: ColumnUnits = { time: { unit: 's', ms: 1000 }, rate: { unit: 'Mbit/s', kbps: 1000 } };

/** Seldom does anybody sample less often, unless the rate is no kbit/s either; and no access link is faster. */
const LONGEST_STEP_S = 60;
const FASTEST_MBPS = 10_000;

/**
 * What Pensieve's simulator reads (`sim/load_trace.py`, `fixed_env.py`): line i says that its rate held from the time
 * of line i−1 to its own. So the first line only says when the trace begins; its rate is never used.
 */
export const cooked: TraceFormat = {
  id: 'cooked',
  label: 'Pensieve-cooked',
  meaning: 'lines of "seconds Mbit/s"; a rate held up to its time',
  looksLike(text) {
    const columns = twoColumns(text);
    if (columns === null || columns.largestRate > FASTEST_MBPS) return false;
    return columns.meanStep <= LONGEST_STEP_S || columns.largestRate < SLOWEST_KBPS;
  },
  read: (text, name) =>
    readingOf(name, () => {
      const rows = textRows(text);
      const first = rows.next().value;
      const startMs = first ? sampleOf(first, COOKED_UNITS).timeMs : 0;
      return withOwnClock(traceFromEnds(cookedSamples(rows), { name, startMs }));
    }),
};

/**
 * A first time that no step of the trace is as long as belongs to a clock: seconds since 1970, or since the start of a longer
 * recording. Such a trace begins at 0; else its first rate would hold that long in each later pass. A shorter first time
 * stays, as in Pensieve's simulator, where later passes begin at 0 (`fixed_env.py`).
 */
function withOwnClock(trace: RateTrace): RateTrace {
  const { startMs, endMs } = trace;
  if (startMs <= longestPieceMs(endMs, startMs)) return trace;
  return { ...trace, startMs: 0, endMs: endMs.map((end) => end - startMs) };
}

/** Those of the lines after the first. @throws TextFault */
function* cookedSamples(rows: Iterable<TextRow>): Iterable<Sample> {
  let count = 0;
  for (const row of rows) {
    count += 1;
    yield sampleOf(row, COOKED_UNITS);
  }
  if (count === 0)
    throw new TextFault('It needs two lines or more: the first only says when the trace begins.');
}

const PAIRS_UNITS: ColumnUnits = { time: { unit: 'ms', ms: 1 }, rate: { unit: 'kbit/s', kbps: 1 } };

/** Seldom does anybody sample more often: else it is not ms. */
const SHORTEST_STEP_MS = 20;

/** Two columns: from when on, and how fast. The first time is the trace's zero, whatever it is. */
export const pairs: TraceFormat = {
  id: 'pairs',
  label: 'Pairs',
  meaning: 'lines of "ms kbit/s"; a rate holds from its time until the next',
  looksLike(text) {
    const columns = twoColumns(text);
    return columns !== null && columns.meanStep >= SHORTEST_STEP_MS && columns.largestRate >= SLOWEST_KBPS;
  },
  read: (text, name) =>
    readingOf(name, () =>
      traceFromStarts(
        mapRows(textRows(text), (row) => sampleOf(row, PAIRS_UNITS)),
        name,
      ),
    ),
};

/** How a text of two numbers per line looks at its beginning. */
interface TwoColumns {
  /** Mean distance of neighbours in the first column, in its unit. */
  readonly meanStep: number;
  /** Largest number in the second column, in its unit. */
  readonly largestRate: number;
}

/** No link is slower than this throughout: rates below are not in kbit/s. */
const SLOWEST_KBPS = 10;

/** How much is looked at: so many lines, and no more than so much text. */
const ROWS = 50;
const CHARACTERS = 5000;

/** Looks at the beginning of a text; null when it does not have two columns. A field that is no number is overlooked: the reader will name it. */
function twoColumns(text: string): TwoColumns | null {
  const rows = [...textRows(text.slice(0, CHARACTERS))].slice(0, ROWS);
  const pairs = rows.filter((row) => row.length === 2 && row.some((field) => isNumber(field.text)));
  if (pairs.length === 0 || pairs.length * 2 < rows.length) return null;
  const times = numbersOf(pairs, 0);
  const steps = times.slice(1).map((time, index) => Math.abs(time - times[index]!));
  return {
    meanStep: steps.reduce((sum, step) => sum + step, 0) / Math.max(steps.length, 1),
    largestRate: Math.max(0, ...numbersOf(pairs, 1)),
  };
}

const numbersOf = (rows: readonly TextRow[], column: number): number[] =>
  rows.map((row) => Number(row[column]?.text)).filter((value) => Number.isFinite(value));

/** The units of the two columns, and what they are multiplied by to be ms and kbit/s. */
interface ColumnUnits {
  readonly time: { readonly unit: string; readonly ms: number };
  readonly rate: { readonly unit: string; readonly kbps: number };
}

/** The sample of one line. @throws TextFault */
function sampleOf(row: TextRow, { time, rate }: ColumnUnits): Sample {
  const [timeName, rateName] = [`The time in ${time.unit}`, `The rate in ${rate.unit}`];
  const timeField = fieldAt(row, 0, timeName);
  const rateField = fieldAt(row, 1, rateName);
  if (row[2]) throw new TextFault(`There is more than a time and a rate: "${row[2].text}".`, row[2].place);
  return {
    timeMs: amountOf(timeField, timeName) * time.ms,
    rateKbps: amountOf(rateField, rateName) * rate.kbps,
    rttMs: null,
    place: timeField.place,
  };
}
