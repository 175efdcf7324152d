import type { Pairs } from '../../verdict/pairs.ts';
import { hierarchicalBootstrap } from '../../../src/analysis/statistics/hierarchical.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';
import { decimalsOf, formatSigned, formatUnit } from '../../../src/shared/format.ts';

/** Ends move by some 2 % of the width with the seed: enough beside the interval of the verdict. */
const DRAWS = { seed: 1, resamples: 4000 };

/**
 * The 95 % interval of the mean difference when pairs are drawn within networks as well as networks: shows whether a verdict
 * on networks depends on the pairs that each of them happened to have. null where the unit is the pair, or where no network
 * has several.
 */
export function hierarchicalInterval({ byNetwork }: Pick<Pairs, 'byNetwork'>): Interval | null {
  if (byNetwork === null || byNetwork.every(({ length }) => length < 2)) return null;
  const differences = byNetwork.map((pairs) => pairs.map(([first, second]) => differenceOf(first, second)));
  return hierarchicalBootstrap(differences, 0.95, DRAWS).interval;
}

/** A sentence after that of the verdict; empty without an interval. */
export function formatHierarchical(interval: Interval | null, unit: string): string {
  if (interval === null) return '';
  const [from, to] = interval.map((end) => formatSigned(end, decimalsOf(interval, end)));
  return ` With pairs drawn within networks as well, the 95 % interval is ${from!} to ${to!}${formatUnit(unit)}.`;
}
