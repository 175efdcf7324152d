import type { Metric } from '../metric.ts';

/** Pairs that the first arm won, lost, or that show no difference. */
export interface PairCounts {
  readonly won: number;
  readonly lost: number;
  readonly tied: number;
}

/** From differences first arm less second arm of a metric where `better` is good. */
export function pairCounts(
  differences: readonly number[],
  better: NonNullable<Metric['better']>,
): PairCounts {
  const positive = differences.filter((each) => each > 0).length;
  const negative = differences.filter((each) => each < 0).length;
  const [won, lost] = better === 'higher' ? [positive, negative] : [negative, positive];
  return { won, lost, tied: differences.length - won - lost };
}
