import type { GateJudgement } from './gateVerdict.ts';
import type { RareBound } from './rareBound.ts';
import type { Gate } from '../design/gateFile.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { upperShare } from '../../src/analysis/statistics/rareEvents.ts';
import {
  decimalsOf,
  formatConfidence,
  formatCount,
  formatNumber,
  formatUnit,
} from '../../src/shared/format.ts';

/** Formats a share that is an upper bound, as in `4.9 %`. It is rounded up, so that it still is one. */
const formatBound = (share: number): string => `${formatNumber(Math.ceil(1000 * share) / 10, 1)} %`;

const formatShare = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

/** A bound and the metric that it is about; without a metric it is about whether sessions play. */
interface Rare {
  readonly metric: Pick<Metric, 'rareEvent' | 'unit'> | null;
  readonly rare: RareBound;
}

/**
 * Says what NEW did in few pairs, and in what share of sessions it may do so: "NEW stalled by 9.1 percentage points more than
 * BASE in 0 of 26 pairs: in at most 10.9 % of sessions (95 %); 59 pairs would rule out 5 %".
 */
export function formatRareFault({ metric, rare }: Rare, alpha: number): string {
  const { from, bad, pairs, share, upperBound, neededPairs, isShown } = rare;
  const what =
    metric === null || from === null
      ? 'did not play, though BASE did,'
      : `${metric.rareEvent} by ${formatNumber(from, decimalsOf(null, from))}${formatUnit(metric.unit)} more than BASE`;
  const needed =
    isShown || neededPairs <= pairs
      ? ''
      : `; ${bad > 0 ? 'with no more of them ' : ''}${formatCount(neededPairs, 'pair')} would rule out ${formatShare(share)}`;
  return `NEW ${what} in ${bad} of ${formatCount(pairs, 'pair')}: in at most ${formatBound(upperBound)} of sessions (${formatConfidence(alpha)})${needed}`;
}

/** Says what is ruled out of rare faults, and what is not, a line for each thing that is judged. */
export const formatRuledOut = (
  judgements: readonly Pick<GateJudgement, 'metric' | 'rare'>[],
  { alpha, rareShare }: Pick<Gate, 'alpha' | 'rareShare'>,
): string[] =>
  judgements.flatMap(({ metric, rare }) => {
    if (rare === null || rare.pairs === 0) return [];
    const word = rare.isShown
      ? `Ruled out in ${formatShare(rareShare)} of sessions or more`
      : `Not ruled out in ${formatShare(rare.share)} of sessions`;
    return [`${word}: ${formatRareFault({ metric, rare }, alpha)}.`];
  });

/** Counts of an arm of a campaign: its sessions that have a value, and those whose value is above 0. */
interface ArmCount {
  readonly name: string;
  readonly bad: number;
  readonly sessions: number;
}

/**
 * Says in what share of sessions each arm may do what a metric that is 0 in most sessions counts: "0 of 12 sessions of h2
 * stalled: in at most 22.1 % of sessions; 1 of 12 of h3: in at most 33.9 % of sessions (95 % each)". null for other metrics,
 * and without a session.
 */
export function formatRareBound(
  { rareEvent }: Pick<Metric, 'rareEvent'>,
  arms: readonly ArmCount[],
  alpha: number,
): string | null {
  const known = arms.filter(({ sessions }) => sessions > 0);
  if (rareEvent === undefined || known.length === 0) return null;
  const parts = known.map(({ name, bad, sessions }, index) => {
    const counted =
      index === 0 ? `${formatCount(sessions, 'session')} of ${name} ${rareEvent}` : `${sessions} of ${name}`;
    return `${bad} of ${counted}: in at most ${formatBound(upperShare(bad, sessions, alpha))} of sessions`;
  });
  return `${parts.join('; ')} (${formatConfidence(alpha)}${known.length > 1 ? ' each' : ''})`;
}
