import type { CampaignPlan } from '../design/plan.ts';
import type { Compared, CompareOptions } from './compared.ts';
import { formatMargin, marginInUnit, marginOf } from './margin.ts';
import { couplesOf, pairsIn, type PairValues, type SessionValues } from './pairs.ts';
import { decimalsOf, formatNumber, formatUnit } from '../../src/shared/format.ts';

/**
 * Why the clocks of these sessions are too inexact for a verdict, in one sentence; null where they are not. Each value of a pair
 * may be off by its own error, so that the mean difference may be off by the means of both arms together.
 */
export function whyTooInexact(
  plan: CampaignPlan,
  { comparison, pairs }: Pick<Compared, 'comparison' | 'pairs'>,
  { values, clockErrors, ...options }: CompareOptions & { readonly values: SessionValues },
): string | null {
  if (!clockErrors) return null;
  const { flagged = new Set(), playbackHashes = new Map() } = options;
  const { unit, bySession } = clockErrors;
  const couples = couplesOf(plan, comparison, { values, flagged, playbackHashes });
  const isKnown = (id: string): boolean => values.get(id) != null;
  const compared = couples.couples.filter((couple) => couple.every(({ id }) => isKnown(id)));
  const { first, second } = comparison;
  for (const [place, arm] of [first, second].entries())
    if (compared.some((couple) => bySession.get(couple[place]!.id) === null))
      return `The clock of ${arm} is that of the device, and nobody knows how far it is off.`;
  const errors = new Map(compared.flat().map(({ id }) => [id, bySession.get(id) ?? 0]));
  const { values: pairErrors } = pairsIn(
    { ...couples, couples: compared },
    { values: errors, censored: new Set() },
  );
  const [ofFirst, ofSecond] = [meanAt(pairErrors, 0), meanAt(pairErrors, 1)];
  const declared = marginOf(plan.campaign);
  const margin = marginInUnit(declared, meanAt(pairs.values, 1));
  if (ofFirst + ofSecond <= margin) return null;
  const format = (value: number): string =>
    `${formatNumber(value, decimalsOf(null, value))}${formatUnit(unit)}`;
  const inUnit = declared.isPercent ? ` (${format(margin)})` : '';
  return `The clock of ${first} may be ${format(ofFirst)} off and that of ${second} ${format(ofSecond)}, together more than the margin of ${formatMargin(declared, unit)}${inUnit}.`;
}

const meanAt = (pairs: readonly PairValues[], arm: 0 | 1): number =>
  pairs.reduce((sum, pair) => sum + pair[arm], 0) / Math.max(1, pairs.length);
