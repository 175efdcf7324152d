import { formatCautions, formatDifference, leftOutReasons } from './formatVerdict.ts';
import { unitOf } from './pairs.ts';
import type { VerdictRow } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networkGroup } from '../design/networks.ts';
import type { CampaignPlan, PlannedVariant } from '../design/plan.ts';
import { formatVariant, planOfSamePairs, planOfVariant } from '../design/variants.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import type { Judgement } from '../../src/analysis/statistics/verdict.ts';
import { formatCount } from '../../src/shared/format.ts';

/** What pairs that were played again say about a verdict. */
export interface Survival {
  readonly variant: string;
  /** Whether direction and relevance are as in the verdict, in one sentence. */
  readonly sentence: string;
  /** The comparison over the pairs that were played again. */
  readonly again: VerdictRow;
}

/** Counts what each comparison of a variant tests: pairs, or networks. */
export function unitsOfVariant({ pairs, networks }: PlannedVariant, campaign: CampaignFile): number {
  if (unitOf(campaign) === 'network') return new Set(networks.map(({ name }) => networkGroup(name))).size;
  return pairs.length / (campaign.per === 'network' ? networks.length : 1);
}

/**
 * Holds each verdict against the pairs that were played again, a list for each row: these pairs are judged as any campaign is.
 * `judgedOf` judges the sessions of a plan.
 */
export function survivalsOf(
  plan: CampaignPlan,
  rows: readonly VerdictRow[],
  judgedOf: (plan: CampaignPlan) => readonly VerdictRow[],
): Survival[][] {
  const variants = (plan.variants ?? []).map((variant) => ({
    variant,
    again: judgedOf(planOfVariant(plan, variant)),
    before: judgedOf(planOfSamePairs(plan, variant)),
  }));
  // Comparisons are declared in one order, and each of their networks is among those of a variant.
  return rows.map((row, index) =>
    variants.map(({ variant, again, before }) => ({
      variant: variant.variant,
      again: again[index]!,
      sentence: formatSurvival(row, { variant, again: again[index]!, before: before[index]! }),
    })),
  );
}

interface PlayedAgain {
  readonly variant: Pick<PlannedVariant, 'variant'>;
  readonly again: VerdictRow;
  /** The comparison over the same pairs as the campaign itself played them. */
  readonly before: VerdictRow;
}

/** Says whether a verdict survives: "With round trips 15 % longer (8 of 24 pairs): same direction, still beyond the margin." */
function formatSurvival(row: VerdictRow, { variant, again, before }: PlayedAgain): string {
  const { unit } = row.pairs;
  const units = formatCount(again.pairs.values.length, unit);
  const counted = `${again.pairs.values.length} of ${formatCount(row.pairs.values.length, unit)}`;
  const outcome = formatOutcome(row.judgement, again.judgement, units);
  const isOfPairs = isSame(before.judgement, again.judgement) && !isSame(row.judgement, again.judgement);
  const same = isOfPairs && row.judgement !== null ? `; as first played, these ${unit}s say the same` : '';
  const reasons = leftOutReasons(again);
  const leftOut =
    reasons === null ? '' : `; of ${formatCount(again.pairs.planned, 'pair')} left out: ${reasons}`;
  return `With ${formatVariant(variant)} (${counted}): ${outcome}${same}${formatCautions(again)}${leftOut}.`;
}

const isSame = (one: Judgement | null, other: Judgement | null): boolean =>
  one?.direction === other?.direction && one?.relevance === other?.relevance;

const saysNothing = ({ direction, relevance }: Judgement): boolean =>
  direction === 'cannot-tell' && relevance === 'undecided';

function formatOutcome(verdict: Judgement | null, again: Judgement | null, units: string): string {
  if (verdict === null) return 'there is no verdict to compare with';
  if (saysNothing(verdict)) return 'the verdict itself cannot tell';
  if (again === null || saysNothing(again)) return `cannot tell with ${units}`;
  const isTurned =
    verdict.direction !== 'cannot-tell' &&
    again.direction !== 'cannot-tell' &&
    verdict.direction !== again.direction;
  return [
    ...formatDirection(verdict, again, { isTurned, units }),
    formatRelevance(verdict, again, { isTurned, units }),
  ].join(', ');
}

interface Found {
  /** Whether both show a direction, and not the same. */
  readonly isTurned: boolean;
  readonly units: string;
}

function formatDirection(verdict: Judgement, again: Judgement, { isTurned, units }: Found): string[] {
  if (isTurned) return ['the direction turns'];
  if (verdict.direction === 'cannot-tell')
    return again.direction === 'cannot-tell' ? [] : [`now ${again.direction}`];
  return [again.direction === verdict.direction ? 'same direction' : `no direction with ${units}`];
}

function formatRelevance(verdict: Judgement, again: Judgement, { isTurned, units }: Found): string {
  if (again.relevance === 'undecided')
    return verdict.relevance === 'undecided'
      ? 'against the margin undecided as before'
      : `cannot tell with ${units} whether still ${verdict.relevance} the margin`;
  if (again.relevance !== verdict.relevance) return `now ${again.relevance} the margin`;
  return again.relevance === 'beyond' && isTurned
    ? 'beyond the margin on the other side'
    : `still ${again.relevance} the margin`;
}

/** Formats a survival with its numbers, for a terminal. */
export const formatSurvivalLine = ({ sentence, again }: Survival, metric: Pick<Metric, 'unit'>): string =>
  again.statistics ? `${sentence} ${formatDifference(again, metric)}` : sentence;
