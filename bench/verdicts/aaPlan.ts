import { valueOf } from '../../src/shared/result.ts';
import type { CampaignFile } from '../../experiment/plan/campaignFile.ts';
import type { CampaignPlan } from '../../experiment/plan/plan.ts';
import { planCampaign } from '../../experiment/plan/planCampaign.ts';
import { startingFile } from '../../experiment/plan/startingFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const NETWORK = 'np2b-typical-delay-typical-loss';

/** One arm under several names, each with each; nothing is too small to matter, so that nothing is equivalent. */
export function aaPlan(
  changes: Pick<CampaignFile, 'repeats' | 'seconds'> & Partial<CampaignFile>,
): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    ...{
      name: 'aaLabels',
      rules: ['throughput'],
      transports: ['h2'],
      aaLabels: ['a', 'b'],
      compare: 'aaLabels',
    },
    ...{ profiles: [NETWORK], phase: 'drawn', seeds: [1], primary: 'mean-bitrate', margin: 0 },
    ...changes,
  };
  return valueOf(planCampaign(campaign, [{ name: NETWORK, profile: pick(networkProfiles, NETWORK) }]));
}
