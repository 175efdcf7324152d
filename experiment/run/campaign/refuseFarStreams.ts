import type { CampaignFile } from '../../plan/campaignFile.ts';
import { MPD_ADDRESS } from '../../plan/contentName.ts';

/**
 * Over a link a session's origin is the lab's own, which serves nobody else's stream. The simulator needs no origin: there
 * such a stream plays over profiles. @throws Error in one sentence that names file and place
 */
export function refuseFarStreams(
  { contents, profiles }: Pick<CampaignFile, 'contents' | 'profiles'>,
  file: string,
): void {
  const far = contents.findIndex((content) => MPD_ADDRESS.test(content));
  if (profiles.length > 0 && far >= 0)
    throw new Error(
      `${file}: /contents/${far}: The address of an MPD needs "profiles": []. Over emulated links use padded:PATH.mpd, or --simulate.`,
    );
}
