/** The middle value; throws on none, because a bench without a measurement is broken. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('median of no values');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Two measurements that were made one after the other, so that both met the same machine. */
export interface Pair {
  readonly base: number;
  readonly other: number;
}

export const ratioOfMedians = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ other }) => other)) / median(pairs.map(({ base }) => base));

export const ratioOfMeans = (pairs: readonly Pair[]): number =>
  mean(pairs.map(({ other }) => other)) / mean(pairs.map(({ base }) => base));

export const differenceOfMeans = (pairs: readonly Pair[]): number =>
  mean(pairs.map(({ other }) => other)) - mean(pairs.map(({ base }) => base));

/** Repeats in a word: the median, and the least and the greatest in brackets. */
export function spread(values: readonly number[], text: (value: number) => string): string {
  if (values.length === 0) return 'none';
  if (values.length === 1) return text(values[0]!);
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}
