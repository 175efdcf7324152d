import type { Aggregate } from './aggregate.ts';

/** As it is committed: seven digits that count, a row of a table on one line. */
export function formatAggregate(aggregate: Aggregate): string {
  const text = JSON.stringify(
    aggregate,
    (_, value: unknown) => (typeof value === 'number' ? rounded(value) : value),
    1,
  );
  // A line ends only between values, never inside a string, so that what is matched is a list of plain ones.
  return `${text.replace(/\[\n[^[\]{}]*\]/g, (list) => (endsOnOwnLine(list) ? list.replace(/\n\s*/g, ' ') : list))}\n`;
}

/** False for a bracket inside a string: JSON.stringify puts the one that ends a list on a line of its own. */
const endsOnOwnLine = (list: string): boolean => {
  const inside = list.slice(0, -1);
  return inside.slice(inside.trimEnd().length).includes('\n');
};

const DIGITS = 7;

/** Before the point all digits stay: times since 1970 have more of them. */
const rounded = (value: number): number =>
  Math.abs(value) >= 10 ** DIGITS ? Math.round(value) : Number(value.toPrecision(DIGITS));
