import type { Compared, ComparedStatistics } from './compared.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import {
  directionOf,
  type Direction,
  type Judgement,
  type Relevance,
} from '../../src/analysis/statistics/verdict.ts';

/** The scale on which a margin is tested: the metric's unit, or the logarithm of the ratio. */
export type Scale = 'difference' | 'logRatio';

/** The two statements of a comparison, and what the numbers show but the comparison does not claim. */
export interface Judged {
  readonly judgement: Judgement;
  /** One sentence; null where nothing is withheld. */
  readonly withheld: string | null;
}

interface Evidence {
  readonly scale: Scale;
  /** By the tests alone. */
  readonly relevance: Relevance;
  readonly holmP: number;
  readonly alpha: number;
  readonly better: NonNullable<Metric['better']>;
}

/**
 * Combines the tests of a comparison into its two statements.
 *
 * - Values that are missing or censored in one arm more than in the other may be its worst ones. So neither a direction in favour of that
 *   arm nor an equivalence is claimed (worst-case ranks, Lachin 1999, would need a bound on the mean, and there is none).
 * - A difference is beyond the margin only on the side of its direction.
 */
export function judge(row: Compared, { scale, relevance, holmP, alpha, better }: Evidence): Judged {
  const { statistics } = row;
  if (!statistics) return { judgement: { direction: 'cannot-tell', relevance: 'undecided' }, withheld: null };
  const shown = shownDirection(statistics, { holmP, alpha });
  const lossy = armWithMoreLost(row, better);
  const isWithheld = lossy !== null && favouredArm(shown, better) === lossy;
  const direction = isWithheld ? 'cannot-tell' : shown;
  const isUnequal = relevance === 'inside' && lossy !== null;
  return {
    judgement: { direction, relevance: claimedRelevance(row, { direction, relevance, scale, isUnequal }) },
    withheld: lossy !== null && (isWithheld || isUnequal) ? formatWithheld(row, lossy, better) : null,
  };
}

const shownDirection = (
  { mean: { interval }, test: { positive, negative } }: ComparedStatistics,
  { holmP, alpha }: Pick<Evidence, 'holmP' | 'alpha'>,
): Direction => directionOf({ interval, rankBalance: positive - negative, holmP, alpha });

interface Tested extends Judgement {
  readonly scale: Scale;
  readonly isUnequal: boolean;
}

function claimedRelevance(row: Compared, { direction, relevance, scale, isUnequal }: Tested): Relevance {
  const isUnsided = relevance === 'beyond' && !isOnSide(row, direction, scale);
  return isUnsided || isUnequal ? 'undecided' : relevance;
}

/** Whether mean difference and mean ratio lie on opposite sides: the arm with more in the unit has less in %, on most networks. */
export function hasOppositeSigns({ statistics }: Pick<Compared, 'statistics'>): boolean {
  const ratio = statistics?.ratio?.value ?? 0;
  return statistics !== null && statistics.mean.value * ratio < 0;
}

function isOnSide(row: Compared, direction: Direction, scale: Scale): boolean {
  const value = row.statistics?.tests[scale]?.value ?? 0;
  if (direction === 'cannot-tell' || hasOppositeSigns(row)) return false;
  return direction === 'higher' ? value > 0 : value < 0;
}

type Arm = 'first' | 'second';

function favouredArm(direction: Direction, better: Evidence['better']): Arm | null {
  if (direction === 'cannot-tell') return null;
  return direction === better ? 'first' : 'second';
}

/** A censored value is too low, which looks good only where lower is better. */
function lostIn({ pairs: { lost, censored } }: Compared, arm: Arm, better: Evidence['better']): number {
  return lost[arm] + (better === 'lower' ? censored[arm] : 0);
}

function armWithMoreLost(row: Compared, better: Evidence['better']): Arm | null {
  const excess = lostIn(row, 'first', better) - lostIn(row, 'second', better);
  return excess === 0 ? null : excess > 0 ? 'first' : 'second';
}

function formatWithheld(row: Compared, arm: Arm, better: Evidence['better']): string {
  const { comparison } = row;
  const [lost, other] = (['first', 'second'] as const).map((each) => lostIn(row, each, better)) as [
    number,
    number,
  ];
  const [more, less] = arm === 'first' ? [lost, other] : [other, lost];
  const [name, rest] =
    arm === 'first' ? [comparison.first, comparison.second] : [comparison.second, comparison.first];
  return `Nothing is claimed in favour of ${name}: it has ${more} missing or censored values, ${rest} has ${less}.`;
}
