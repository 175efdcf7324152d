import { metrics } from '../../../analysis/metrics/registry.ts';
import type { Metric } from '../../../analysis/metrics/metric.ts';
import type { CampaignPlan } from '../../../../experiment/plan/plan.ts';

/** The campaign's primary metric, then these, each once. */
export const judgedMetrics = ({ campaign }: CampaignPlan, ids: readonly string[]): Metric[] =>
  [...new Set([campaign.primary, ...ids])].flatMap((id) => metrics.find((metric) => metric.id === id) ?? []);
