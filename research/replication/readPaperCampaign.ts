import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import { campaignDuration, type CampaignDuration } from '../../experiment/design/campaignDuration.ts';
import { pick } from '../../src/shared/registry.ts';
import { readText } from '../../node/files.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { Known } from '../../experiment/design/campaignFaults.ts';
import { networkNames } from '../../experiment/design/networks.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { planCampaign } from '../../experiment/design/planCampaign.ts';
import { readCampaign } from '../../experiment/design/readCampaign.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { tracesLackingFor } from '../../experiment/resolve/networks.ts';
import { faultOfPreset } from '../../src/player/presets.ts';

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
      networkNames(campaign).map((name) => ({ name, profile })),
    ),
  );
}

/** One sentence about traces that a campaign names and this machine lacks, or null. */
export function tracesMissing(file: string, campaign: Pick<CampaignFile, 'profiles'>): string | null {
  const [first] = tracesLackingFor(campaign, file);
  return first === undefined ? null : `${file}: /profiles: ${first}`;
}

/** Rules are judged when a campaign is loaded to be played, and by the tests of these files. */
export const known: Known = { faultOfPreset, contents: [], browsers: [], faultOfRule: () => null };
