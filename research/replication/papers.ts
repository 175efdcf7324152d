import { runName } from './campaignFiles.ts';
import { deployment2017 } from './claims/deployment2017.ts';
import { letter2020 } from './claims/letter2020.ts';
import type { Paper, PaperCampaign } from './paperCampaign.ts';
import { racing2024 } from './claims/racing2024.ts';
import { study2019 } from './claims/study2019.ts';
import { thesis2018 } from './claims/thesis2018.ts';

/** The papers that Pitwall is built from, the newest first. */
export const papers: readonly Paper[] = [racing2024, letter2020, study2019, thesis2018, deployment2017];

/** All that can be played, paper by paper. */
export const paperCampaigns: readonly PaperCampaign[] = papers.flatMap(({ campaigns }) => campaigns);

/** What is played when nothing is named, in its order. */
export const inTurn: readonly PaperCampaign[] = paperCampaigns
  .filter(({ place }) => place !== null)
  .sort((a, b) => a.place! - b.place!);

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
