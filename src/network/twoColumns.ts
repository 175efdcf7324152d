import { isNumber, textRows } from './textRows.ts';

/** How a text of two numbers per line looks at its beginning. */
export interface TwoColumns {
  /** Mean distance of neighbours in the first column, in its unit. */
  readonly meanStep: number;
  /** Largest number in the second column. */
  readonly largestRate: number;
}

/** How many lines are looked at, and how much text at most. */
const ROWS = 50;
const CHARACTERS = 5000;

/** Null when the text does not have two columns; a field that is no number is overlooked, the reader will name it. */
export function twoColumns(text: string): TwoColumns | null {
  const rows = textRows(text.slice(0, CHARACTERS)).slice(0, ROWS);
  const pairs = rows.filter((row) => row.length === 2 && row.some((field) => isNumber(field.text)));
  if (pairs.length === 0 || pairs.length * 2 < rows.length) return null;
  const [times, rates] = [0, 1].map((column) =>
    pairs.map((row) => Number(row[column]!.text)).filter((value) => Number.isFinite(value)),
  ) as [number[], number[]];
  const steps = times.slice(1).map((time, index) => Math.abs(time - times[index]!));
  return {
    meanStep: steps.reduce((sum, step) => sum + step, 0) / Math.max(steps.length, 1),
    largestRate: Math.max(0, ...rates),
  };
}
