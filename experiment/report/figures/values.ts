import type { SessionSummary } from '../sessionSummary.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { quantile } from '../../../src/analysis/statistics/summaries.ts';

/** The values of a metric that are known, in the order of the sessions. */
export const knownValues = (sessions: readonly SessionSummary[], metricId: string): number[] =>
  sessions.flatMap(({ values }) => values[metricId] ?? []);

/** The campaign's primary metric, then these, each once. */
export const judgedMetrics = ({ campaign }: CampaignPlan, ids: readonly string[]): Metric[] =>
  [...new Set([campaign.primary, ...ids])].flatMap((id) => metrics.find((metric) => metric.id === id) ?? []);

/** The least and the greatest of these; null of none. By a loop: a call cannot take a hundred thousand arguments. */
export function rangeOf(values: Iterable<number>): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : null;
}

/** At most so many of these, at equal steps, with the first and the last. */
export const thinned = <Entry>(entries: readonly Entry[], max: number): readonly Entry[] =>
  entries.length <= max
    ? entries
    : Array.from(
        { length: max },
        (_, place) => entries[Math.round((place * (entries.length - 1)) / (max - 1))]!,
      );

/** Median, quartiles and whiskers of Tukey (1977). */
export interface Box {
  readonly count: number;
  readonly quartiles: readonly [first: number, median: number, third: number];
  /** The least and the greatest value within 1.5 times the box' length from its ends, at least its ends. */
  readonly whiskers: readonly [min: number, max: number];
  /** All values beyond the whiskers, ascending. */
  readonly outliers: readonly number[];
}

const REACH = 1.5;

/** null of no values. Quartiles as in the tables (type 7 of Hyndman and Fan). */
export function boxOf(values: readonly number[]): Box | null {
  if (values.length === 0) return null;
  const ascending = Float64Array.from(values).sort();
  const [first, median, third] = [0.25, 0.5, 0.75].map((share) => quantile(ascending, share)) as Quartiles;
  const reach = REACH * (third - first);
  const isWithin = (value: number): boolean => value >= first - reach && value <= third + reach;
  const within = ascending.filter(isWithin);
  return {
    count: values.length,
    quartiles: [first, median, third],
    // Quartiles lie between values, so that the farthest value within reach may lie inside the box.
    whiskers: [Math.min(first, within[0]!), Math.max(third, within.at(-1)!)],
    outliers: [...ascending].filter((value) => !isWithin(value)),
  };
}

type Quartiles = [number, number, number];

/** A point of a distribution: the share of all values that are at most `value`. */
interface DistributionPoint {
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
