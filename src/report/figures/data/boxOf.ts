import { quantile } from '../../../analysis/statistics/summaries.ts';

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
