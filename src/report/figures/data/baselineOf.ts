import { factorsOf } from '../../../../experiment/plan/factorsOf.ts';
import type { CampaignPlan } from '../../../../experiment/plan/plan.ts';

/** What the others are set against: the declared control, else the first of what is compared. */
export const baselineOf = ({ campaign }: Pick<CampaignPlan, 'campaign'>): string =>
  campaign.control ?? factorsOf(campaign).find(({ field }) => field === campaign.compare)?.values[0] ?? '';
