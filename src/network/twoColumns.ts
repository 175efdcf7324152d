import { amountOf, fieldAt, isNumber, textRows, type TextRow } from './textRows.ts';
import { TextFault } from './textFault.ts';
import type { Sample } from './traceFrom.ts';

/** How a text of two numbers per line looks at its beginning. */
export interface TwoColumns {
  /** Mean distance of neighbours in the first column, in its unit. */
  readonly meanStep: number;
  /** Largest number in the second column, in its unit. */
  readonly largestRate: number;
}

/** No link is slower than this throughout: rates below are not in kbit/s. */
export const SLOWEST_KBPS = 10;

/** How much is looked at: so many lines, and no more than so much text. */
const ROWS = 50;
const CHARACTERS = 5000;

/** Null when the text does not have two columns. A field that is no number is overlooked: the reader will name it. */
export function twoColumns(text: string): TwoColumns | null {
  const rows = textRows(text.slice(0, CHARACTERS)).slice(0, ROWS);
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
export interface ColumnUnits {
  readonly time: { readonly unit: string; readonly ms: number };
  readonly rate: { readonly unit: string; readonly kbps: number };
}

/** The sample of one line. @throws TextFault */
export function sampleOf(row: TextRow, { time, rate }: ColumnUnits): Sample {
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
