/** A point of a complementary distribution: the share of all values that are at least `value`. */
export interface CcdfPoint {
  readonly value: number;
  readonly share: number;
}

/** One point for each different value, ascending. */
export function ccdf(values: readonly number[]): CcdfPoint[] {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending.flatMap((value, index) =>
    index > 0 && ascending[index - 1] === value
      ? []
      : [{ value, share: (ascending.length - index) / ascending.length }],
  );
}
