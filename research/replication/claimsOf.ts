import { runName } from './campaignFiles.ts';
import type { PaperCampaign } from './paperCampaign.ts';
import { paperCampaigns } from './papers.ts';

/**
 * The claims of a paper about the campaign of this name, as one text; null where there are none. Without what they say in words:
 * another wording of a claim is not another claim.
 */
export function claimsOf(campaign: string, among: readonly PaperCampaign[] = paperCampaigns): string | null {
  const found = among.find(({ id }) => [runName(id, false), runName(id, true)].includes(campaign));
  if (!found || found.claims.length === 0) return null;
  return JSON.stringify(
    found.claims.map(({ metric, first, second, within, network, expects }) => [
      ...[metric, first, second, within, network, expects],
    ]),
  );
}
