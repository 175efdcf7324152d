import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { campaignFiles, runName } from './campaignFiles.ts';
import { paperCampaigns } from './papers.ts';
import { readPaperCampaign } from './readPaperCampaign.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';

/** Why a run is no result of a paper's campaign as it is committed, in one sentence, or null. */
export async function resultsFault(
  { plan, sessions, flagged }: Pick<ReportSource, 'plan' | 'sessions' | 'flagged'>,
  root: string,
): Promise<string | null> {
  const { campaign } = plan;
  const found = paperCampaigns.find(({ id }) =>
    [runName(id, false), runName(id, true)].includes(campaign.name),
  );
  if (!found) return `Its campaign "${campaign.name}" belongs to no paper. Run pitwall papers list.`;
  const files = campaignFiles(root, found);
  const file = campaign.name === found.id ? files.scaled : files.full;
  if (!isDeepStrictEqual(await readPaperCampaign(file), campaign))
    return `Its plan differs from the present ${path.relative('.', file)}.`;
  const simulated = [...sessions, ...flagged].filter(
    ({ environment }) => (environment.simulator ?? null) !== null,
  );
  return simulated.length === 0
    ? null
    : `${simulated.length} of its sessions are simulated; results of papers need real sessions.`;
}
