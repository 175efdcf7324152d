import { formatNotSimulated } from './formatNotSimulated.ts';
import { campaignTable } from '../campaignTable.ts';
import type { JudgedSession } from '../finishedSessions.ts';
import { formatVerdicts } from '../formatOutcome.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';

interface Asked {
  readonly metrics: readonly Metric[];
  /** Whether the logs are of a model without random losses and controllers; absent: false. */
  readonly withoutLosses?: boolean;
}

/** Formats what a simulated campaign leaves out, its table and its verdicts: the same from logs and from rows. */
export const formatSimulated = (
  plan: CampaignPlan,
  finished: ReadonlyMap<string, JudgedSession>,
  { metrics, withoutLosses = false }: Asked,
): string =>
  [
    formatNotSimulated(plan, { withoutLosses }),
    campaignTable(plan, finished, metrics),
    formatVerdicts(plan, finished),
  ].join('\n');
