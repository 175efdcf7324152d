import { seededRandom } from './seededRandom.ts';

/** The ends of an interval. */
export type Interval = readonly [min: number, max: number];

/** Resamples: the ends of an interval then move by less than 1 % of its width from seed to seed. */
const RESAMPLES = 4000;

/**
 * A statistic of items with its 95 % percentile bootstrap interval (Efron 1979). The same items, statistic and seed give
 * the same interval. `items` must not be empty.
 */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
  seed = 1,
): { value: number; interval: Interval } {
  const random = seededRandom(seed);
  const resampled = Array.from({ length: RESAMPLES }, () =>
    statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).sort((a, b) => a - b);
  const at = (share: number): number => resampled[Math.round(share * (RESAMPLES - 1))]!;
  return { value: statistic(items), interval: [at(0.025), at(0.975)] };
}
