import { compared, type Compared, type CompareOptions } from './compared.ts';
import type { SessionValues } from './pairsOf.ts';
import type { CampaignPlan } from '../plan/plan.ts';
import { verdictReach } from './verdictReach.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { holm, verdictOf, type Verdict } from '../../src/analysis/statistics/verdict.ts';
import { pairsNeeded } from '../../src/analysis/statistics/power.ts';

/** A comparison on the campaign's primary metric. */
export interface VerdictRow extends Compared {
  /** Of the signed-rank test, after Holm's correction over all comparisons of the campaign; null without a pair. */
  readonly holmP: number | null;
  /** null where there can be none yet, or never; `why` then says so in a sentence. */
  readonly verdict: Verdict | null;
  readonly why: string | null;
  /** With the spread seen here, to find a difference as large as the margin with a chance of 80 %; null: not known. */
  readonly pairsForMargin: number | null;
}

/** Judges every declared comparison; `better` is that of the primary metric, whose values these are. */
export function verdicts(
  plan: CampaignPlan,
  values: SessionValues,
  options: CompareOptions<NonNullable<Metric['better']>>,
): VerdictRow[] {
  const rows = compared(plan, values, options);
  // A comparison without pairs stays in the family: what is declared is corrected for, not what could be played.
  const corrected = holm(rows.map(({ statistics }) => statistics?.test.p ?? 1));
  return rows.map((row, index) => {
    const holmP = row.statistics ? corrected[index]! : null;
    const why = whyNone(plan, row);
    return {
      ...row,
      holmP,
      why,
      verdict: why === null ? judged(plan, row, { better: options.better, holmP: holmP! }) : null,
      pairsForMargin: pairsForMargin(plan, row),
    };
  });
}

function whyNone({ campaign }: CampaignPlan, { pairs }: Compared): string | null {
  const { isWithinReach, pairsNeeded: needed } = verdictReach(campaign);
  const count = pairs.values.length;
  if (!isWithinReach) return `The design has too few pairs for any verdict: it needs at least ${needed}.`;
  if (count >= needed) return null;
  return pairs.copies > 0
    ? `Only ${count} of the ${needed} independent pairs that a verdict needs are available: under equal conditions the simulator gives copies.`
    : `Only ${count} of the ${needed} pairs that a verdict needs are available.`;
}

function judged(
  { campaign }: CampaignPlan,
  { statistics }: Compared,
  { better, holmP }: { better: NonNullable<Metric['better']>; holmP: number },
): Verdict {
  const { mean, test } = statistics!;
  return verdictOf({
    interval: mean.interval,
    rankBalance: test.positive - test.negative,
    holmP,
    alpha: campaign.alpha,
    margin: campaign.margin,
    better,
  });
}

function pairsForMargin({ campaign }: CampaignPlan, { pairs, statistics }: Compared): number | null {
  const { values } = pairs;
  if (!statistics || values.length < 2) return null;
  const squares = values.reduce((sum, [a, b]) => sum + (a - b - statistics.mean.value) ** 2, 0);
  const { comparisons, pairsNeeded: min } = verdictReach(campaign);
  const needed = pairsNeeded({
    shift: campaign.margin,
    deviation: Math.sqrt(squares / (values.length - 1)),
    alpha: campaign.alpha / comparisons,
  });
  return needed === null ? null : Math.max(min, needed);
}
