import type { Interval } from './figure.ts';
import { seededRandom } from './page/seededRandom.ts';

/** Resamples for an interval: its ends then move by less than 1 % of its width from seed to seed. */
const RESAMPLES = 4000;

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

/** A statistic of pairs (for example a ratio of medians) with its percentile bootstrap interval (Efron 1979). */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
): { value: number; interval: Interval } {
  const random = seededRandom(1);
  const resampled = Array.from({ length: RESAMPLES }, () =>
    statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).sort((a, b) => a - b);
  const at = (share: number): number => resampled[Math.round(share * (RESAMPLES - 1))]!;
  return { value: statistic(items), interval: [at(0.025), at(0.975)] };
}

export const ratioOfMedians = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ other }) => other)) / median(pairs.map(({ base }) => base));

export const ratioOfMeans = (pairs: readonly Pair[]): number =>
  mean(pairs.map(({ other }) => other)) / mean(pairs.map(({ base }) => base));

export const differenceOfMeans = (pairs: readonly Pair[]): number =>
  mean(pairs.map(({ other }) => other)) - mean(pairs.map(({ base }) => base));
