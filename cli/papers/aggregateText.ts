import type { Aggregate } from './aggregate.ts';

/** As it is committed: seven digits that count, a row of a table on one line. */
export function aggregateText(aggregate: Aggregate): string {
  const text = JSON.stringify(
    aggregate,
    (_, value: unknown) => (typeof value === 'number' ? rounded(value) : value),
    1,
  );
  // A line ends only between values, never inside a string, so that what is matched is a list of plain ones.
  return `${text.replace(/\[\n[^[\]{}]*?\n\s*\]/g, (list) => list.replace(/\n\s*/g, ' '))}\n`;
}

const DIGITS = 7;

/** Before the point all digits stay: times since 1970 have more of them. */
const rounded = (value: number): number =>
  Math.abs(value) >= 10 ** DIGITS ? Math.round(value) : Number(value.toPrecision(DIGITS));
