/**
 * First less second, without what rounding leaves: two means of the same bitrates may differ in their sixteenth digit, and a
 * test by ranks would take that for a difference won or lost.
 */
export function differenceOf(first: number, second: number): number {
  const difference = first - second;
  const scale = Math.max(Math.abs(first), Math.abs(second));
  return Math.abs(difference) <= ROUNDING * scale ? 0 : Number(difference.toPrecision(9));
}

/** A million times the rounding of a double: sums of a day's events stay below it, and no instrument reaches it. */
const ROUNDING = 1e-9;
