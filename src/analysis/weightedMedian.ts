export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** The least value that at least half of the weight does not exceed; null without weight. */
export function weightedMedian(entries: readonly Weighted[]): number | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) return null;
  let below = 0;
  for (const { value, weight } of [...entries].sort((one, other) => one.value - other.value)) {
    below += weight;
    if (2 * below >= total) return value;
  }
  return null;
}
