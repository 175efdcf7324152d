import { campaignDuration, formatDuration } from './campaignDuration.ts';
import type { Gate } from './gateFile.ts';
import { networkCount } from './networks.ts';
import type { CampaignPlan } from './plan.ts';
import { sessionsToRuleOut, upperShare } from '../../src/analysis/statistics/rareEvents.ts';
import { minCount } from '../../src/analysis/statistics/sequentialSignFlip.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';

/** How many pairs a gate plays when it has time for all, and after which of them it looks at the results. */
export interface GateDesign {
  readonly pairs: number;
  /** Pairs until each look, ascending; the last are all. */
  readonly looks: readonly number[];
  /** Each round has a pair on every network and content. */
  readonly rounds: number;
  /** What a pair takes, by itself. */
  readonly pairMs: number;
}

/** Starting the runner and its servers, for each look. */
export const LOOK_MS = 6000;

/** Building pages and starting, once. */
const START_MS = 30_000;

/** The test has 10,000 patterns of signs at most (`sequentialSignFlip`): of a level below ten of them, early looks have none. */
const MIN_LEVEL = 1e-3;

/**
 * The design that a budget allows with so many pairs at once; `plan` is that of the gate with one round. The error is one
 * sentence: the budget is too small for a round, or for so many pairs that a verdict is possible; or alpha is too small.
 */
export function gateDesign(gate: Gate, plan: CampaignPlan, workers: number): Result<GateDesign> {
  const level = levelOfRegression(gate);
  if (level < MIN_LEVEL)
    return failed(
      `An alpha of ${gate.alpha} is too small: ${gate.metrics.length + 1} tests share it, and each needs at least ${MIN_LEVEL}.`,
    );
  const { sessionMs, arms } = campaignDuration(plan, 1);
  const pairMs = sessionMs * arms;
  const perRound = Math.max(1, networkCount(gate)) * gate.contents.length;
  const givenMs = gate.minutes * 60_000;
  const slots = Math.floor((givenMs - START_MS - gate.looks * LOOK_MS) / pairMs);
  const rounds = Math.min(1000, Math.floor((Math.max(0, slots) * workers) / perRound));
  const minPairs = minCount(level);
  const needed = Math.ceil(Math.max(perRound, minPairs) / perRound) * perRound;
  const pairs = rounds * perRound;
  if (pairs < needed) {
    const neededMs = budgetMs(needed, { looks: gate.looks, pairMs, workers });
    return failed(
      `A budget of ${formatDuration(givenMs)} is too small: a verdict needs at least ${needed} pairs, which take ${formatDuration(neededMs)} with ${workers} at once.`,
    );
  }
  const step = Math.ceil(Math.max(pairs / gate.looks, workers, perRound) / perRound) * perRound;
  const looks = Array.from({ length: Math.ceil(pairs / step) }, (_, index) =>
    Math.min(pairs, (index + 1) * step),
  );
  return ok({ pairs, looks, rounds, pairMs });
}

/**
 * Says before a gate begins that it has too few pairs to pass NEW, and what would help: a longer budget, or a larger share of
 * rare faults that is left open. Empty where it has enough.
 */
export function formatReach(
  { alpha, rareShare, looks }: Pick<Gate, 'alpha' | 'rareShare' | 'looks'>,
  { pairs, pairMs }: Pick<GateDesign, 'pairs' | 'pairMs'>,
  workers: number,
): string[] {
  const needed = sessionsToRuleOut(rareShare, alpha);
  if (needed <= pairs) return [];
  const neededMs = budgetMs(needed, { looks, pairMs, workers });
  const reached = (Math.ceil(1000 * upperShare(0, pairs, alpha)) / 1000).toFixed(3);
  return [
    `${pairs} pairs can show a regression, but not that rare faults are absent, so that NEW cannot pass: "rareShare": ${rareShare} needs ${needed} pairs (${formatDuration(neededMs)} with ${workers} at once), and ${pairs} pairs allow "rareShare": ${reached} or more.`,
  ];
}

const budgetMs = (
  pairs: number,
  { looks, pairMs, workers }: { looks: number; pairMs: number; workers: number },
): number => START_MS + looks * LOOK_MS + Math.ceil(pairs / workers) * pairMs;

/**
 * The level of each test for a regression: alpha is divided by their number (Bonferroni), for the metrics and for whether
 * sessions play at all. One regression ends a gate, so that Holm's first step is all that there would be of his correction.
 */
export const levelOfRegression = ({ alpha, metrics }: Pick<Gate, 'alpha' | 'metrics'>): number =>
  alpha / (metrics.length + 1);
