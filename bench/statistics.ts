import { mean } from '../src/analysis/statistics/summaries.ts';
import { median as middleOf } from '../src/shared/median.ts';

/** The middle value; throws on none, because a bench without a measurement is broken. */
export function median(values: readonly number[]): number {
  const middle = middleOf(values);
  if (middle === null) throw new Error('median of no values');
  return middle;
}

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
