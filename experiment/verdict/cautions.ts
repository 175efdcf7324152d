import { upperShare } from '../../src/analysis/statistics/rareEvents.ts';
import type { Compared } from './compared.ts';
import { differencesOf } from './pairs.ts';

/** A mean of few different values: from this share of equal differences on, 95 % intervals hold it in less than 93 %. */
const MAX_EQUAL_SHARE = 0.5;
/** Share of one difference in the sum of squares about the mean from which on the sample says little about the spread. */
const MAX_SQUARE_SHARE = 0.6;

/**
 * One sentence where the 95 % interval may hold the mean less often than it says (research/methodology.md, "How often an interval
 * holds the true mean"); null where nothing in the differences shows that.
 */
export function intervalCaution({
  pairs,
  statistics,
}: Pick<Compared, 'pairs' | 'statistics'>): string | null {
  if (!statistics?.mean.interval) return null;
  const differences = differencesOf(pairs.values);
  const units = differences.length;
  const equal = differences.filter((each) => each === 0).length;
  if (equal >= MAX_EQUAL_SHARE * units && equal < units)
    return `${equal} of ${units} ${pairs.unit}s do not differ: the interval may be too narrow.`;
  const squares = differences.map((each) => (each - statistics.mean.value) ** 2);
  const total = squares.reduce((sum, each) => sum + each, 0);
  return total > 0 && Math.max(...squares) >= MAX_SQUARE_SHARE * total
    ? `One ${pairs.unit} makes most of the spread: the interval may be too narrow.`
    : null;
}

/** What happens in fewer than 1 of so many units has a chance of 5 % or more to be in none of them. */
export const rarestSeen = (units: number): number => Math.floor(1 / upperShare(0, units, 0.05));
