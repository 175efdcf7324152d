import { readText } from '../../node/readText.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { Known } from '../plan/campaignFaults.ts';
import type { CampaignFile } from '../plan/campaignFile.ts';
import type { CampaignPlan } from '../plan/plan.ts';
import { planCampaign } from '../plan/planCampaign.ts';
import { readCampaign } from '../plan/readCampaign.ts';
import { campaignDuration, type CampaignDuration } from '../plan/campaignDuration.ts';
import { presets } from '../../src/player/presets.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

/** Rules are judged when a campaign is loaded to be played, and by the tests of these files. */
const known: Known = { presets, contents: [], faultOfRule: () => null };

/** @throws Error in one sentence that names file and place */
export const readPaperCampaign = async (file: string): Promise<CampaignFile> =>
  valueOf(readCampaign(await readText(file), { name: file, known }));

/** How much a campaign is, without reading any trace: the plan's size does not hang on what a link carries. */
export const sizeOf = (campaign: CampaignFile, workers: number): CampaignDuration =>
  campaignDuration(planWithoutTraces(campaign), workers);

/** Every network stands still: only names and counts of this plan mean anything. */
export function planWithoutTraces(campaign: CampaignFile): CampaignPlan {
  const profile = pick(networkProfiles, 'constant-10mbps');
  return valueOf(
    planCampaign(
      campaign,
      campaign.profiles.map((name) => ({ name, profile })),
    ),
  );
}
