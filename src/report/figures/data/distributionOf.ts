/** A point of a distribution: the share of all values that are at most `value`. */
export interface DistributionPoint {
  readonly value: number;
  readonly share: number;
}

/**
 * The steps of the empirical distribution, one for each different value. Of more than `max`, those at equal steps of rank
 * stay, with the first and the last: each is still exact.
 */
export function distributionOf(values: readonly number[], max = 120): DistributionPoint[] {
  const ascending = Float64Array.from(values).sort();
  const count = ascending.length;
  const steps = Math.min(count, max);
  const ranks = new Set<number>();
  for (let step = 0; step < steps; step += 1)
    ranks.add(lastEqual(ascending, steps === 1 ? count - 1 : Math.round((step * (count - 1)) / (steps - 1))));
  return [...ranks].map((rank) => ({ value: ascending[rank]!, share: (rank + 1) / count }));
}

/** The last place with the value of this one. */
function lastEqual(ascending: Float64Array, place: number): number {
  let [low, high] = [place, ascending.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ascending[middle] === ascending[place]) low = middle;
    else high = middle - 1;
  }
  return low;
}
