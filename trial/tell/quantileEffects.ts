import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { quantile } from '../../src/analysis/statistics/summaries.ts';
import type { Sample } from './samples.ts';

/** A difference of one quantile between two arms. */
export interface QuantileEffect {
  /** Share of sessions below the quantile. */
  readonly share: number;
  readonly treated: number;
  readonly control: number;
  /** 95 % interval of the difference, as if nobody had looked before. */
  readonly interval: Interval;
}

export const QUANTILES = [0.5, 0.9, 0.95, 0.99] as const;
const Z_95 = 1.959964;

/**
 * Computes differences of quantiles. The error of each quantile is that of the share of values below it, with clusters, carried to the
 * values at both ends of its interval (Liu, Sun, Varshney and Xu 2019, "Large-scale online experimentation with quantile metrics").
 */
export function quantileEffects(sample: Sample): QuantileEffect[] {
  const arms = ([1, 0] as const).map((arm) => armValues(sample, arm)) as [ArmValues, ArmValues];
  if (arms.some(({ ascending }) => ascending.length === 0)) return [];
  return QUANTILES.map((share) => {
    const [treated, control] = arms.map((arm) => quantileOf(arm, share)) as [Quantile, Quantile];
    const difference = treated.value - control.value;
    const half = Z_95 * Math.hypot(treated.error, control.error);
    return {
      share,
      treated: treated.value,
      control: control.value,
      interval: [difference - half, difference + half],
    };
  });
}

interface ArmValues {
  readonly values: Float64Array;
  readonly clusters: Int32Array;
  readonly ascending: Float64Array;
}

interface Quantile {
  readonly value: number;
  readonly error: number;
}

function armValues({ values, clusters, isTreated }: Sample, arm: 0 | 1): ArmValues {
  const isMember = (_: number, row: number): boolean => isTreated[row] === arm;
  const own = values.filter(isMember);
  return { values: own, clusters: clusters.filter(isMember), ascending: own.toSorted() };
}

function quantileOf({ values, clusters, ascending }: ArmValues, share: number): Quantile {
  const value = quantile(ascending, share);
  const sums = new Map<number, number>();
  let below = 0;
  for (const each of values) if (each <= value) below += 1;
  const mean = below / values.length;
  for (const [row, each] of values.entries()) {
    const cluster = clusters[row]!;
    sums.set(cluster, (sums.get(cluster) ?? 0) + (each <= value ? 1 : 0) - mean);
  }
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const half = (Z_95 * Math.sqrt(squares)) / values.length;
  const [low, high] = [Math.max(0, share - half), Math.min(1, share + half)];
  return { value, error: (quantile(ascending, high) - quantile(ascending, low)) / (2 * Z_95) };
}
