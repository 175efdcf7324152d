import type { CampaignFile } from './campaignFile.ts';
import { MPD_ADDRESS } from './contentName.ts';
import { sendersOf } from './sendersOf.ts';

/** What only the instrumented origin offers. */
const OF_INSTRUMENTED = ['controllers', 'initialWindowPackets', 'tcpPacing', 'zeroRtt'] as const;

/** What is wrong with who serves a campaign, and how it sends: a sentence each, with its path in the file. */
export function originFaults(campaign: CampaignFile): string[] {
  if (campaign.origin !== 'instrumented')
    return OF_INSTRUMENTED.filter((field) => campaign[field] !== undefined).map(
      (field) => `/${field}: This field needs the instrumented origin: add "origin": "instrumented".`,
    );
  return [...controllerFaults(campaign), ...contentFaults(campaign)];
}

const controllerFaults = ({ controllers = [] }: CampaignFile): string[] =>
  controllers.flatMap((text, index) => {
    const senders = sendersOf(text);
    return senders.ok ? [] : [`/controllers/${index}: ${senders.error}`];
  });

const contentFaults = ({ contents }: CampaignFile): string[] =>
  contents.flatMap((content, index) =>
    MPD_ADDRESS.test(content)
      ? [`/contents/${index}: The instrumented origin cannot serve ${content}, a stream on another server.`]
      : [],
  );
