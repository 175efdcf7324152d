/** How a report says numbers in sentences: digits of people, in one place for all of its forms. */

/** `h1`, `h2 and h3-only`, `h1, h2 and h3-only`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** With its unit, as in a sentence: a difference of percentages is in percentage points. */
export const formatUnit = (unit: string): string =>
  unit === '%' ? ' percentage points' : unit ? ` ${unit}` : '';

/** As many decimals as show two digits of an interval's width; of the value where there is none. */
export function decimalsOf(interval: readonly [number, number] | null, value: number): number {
  const size = (interval ? interval[1] - interval[0] : 0) || Math.abs(value);
  return size > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size)))) : 0;
}

/** Two digits, as in `= 0.021` and `< 0.0001`. */
export const formatP = (p: number): string => (p < 0.0001 ? '< 0.0001' : `= ${Number(p.toPrecision(2))}`);
