/** The value below which a share of ascending values lies, between two of them in proportion (Hyndman and Fan's type 7). */
export const quantile = (ascending: ArrayLike<number>, share: number): number =>
  quantileOf(share, ascending.length, (place) => ascending[place]!);

/** As `quantile`, of values of which each can be found by its place in their order. */
export function quantileOf(share: number, count: number, valueAt: (place: number) => number): number {
  if (count === 0) throw new Error('no values, so no quantile');
  const place = share * (count - 1);
  const below = Math.floor(place);
  const low = valueAt(below);
  return below + 1 < count ? low + (place - below) * (valueAt(below + 1) - low) : low;
}

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

/** The mean of one number or more, summed in their order. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of numbers; null of none. */
export const meanOf = (values: readonly number[]): number | null => (values.length > 0 ? mean(values) : null);

/** A number that counts as much as its weight, which is not below 0. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** The mean by weight; null without weight. */
export function weightedMean(entries: readonly Weighted[]): number | null {
  let [sum, total] = [0, 0];
  for (const { value, weight } of entries) {
    sum += value * weight;
    total += weight;
  }
  return total > 0 ? sum / total : null;
}

/** The lowest value that this share of the weight does not exceed; null without weight. */
export function weightedQuantile(entries: readonly Weighted[], share: number): number | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) return null;
  let below = 0;
  for (const { value, weight } of [...entries].sort((one, other) => one.value - other.value)) {
    below += weight;
    if (below >= share * total) return value;
  }
  return null;
}
