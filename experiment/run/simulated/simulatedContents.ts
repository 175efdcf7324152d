import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { contentFromMpd } from '../../simulate/mpd/contentFromMpd.ts';
import { campaignMounts } from '../campaign/campaignMounts.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { contentName, MPD_ADDRESS } from '../../plan/contentName.ts';
import type { Content } from '../../../src/sim/content.ts';

/**
 * The contents of a campaign as tables of real sizes, by their names in its file: of the very files that the lab's origin
 * serves. `file` is the campaign's. @throws Error in one sentence that names file and place
 */
export async function simulatedContents(
  campaign: Pick<CampaignFile, 'contents' | 'seconds'>,
  { file, print }: { file: string; print: (line: string) => void },
): Promise<Readonly<Record<string, Content>>> {
  const { mounts, mpdPath } = await campaignMounts(campaign, { file, print });
  const contents: Record<string, Content> = {};
  for (const [index, name] of campaign.contents.entries())
    // The same name on every machine: it goes into the logs.
    contents[name] = await contentFromMpd(addressOf(mpdPath(name), mounts), contentName(name)).catch(
      (error: Error) => {
        throw new Error(`${file}: /contents/${index}: ${error.message}`);
      },
    );
  return contents;
}

function addressOf(mpdPath: string, mounts: Readonly<Record<string, string>>): string {
  if (MPD_ADDRESS.test(mpdPath)) return mpdPath;
  const folder = mounts[path.posix.dirname(mpdPath)];
  if (folder === undefined) throw new Error(`Nothing is mounted for ${mpdPath}.`);
  return pathToFileURL(path.join(folder, path.posix.basename(mpdPath))).href;
}
