import type { CampaignFile } from './campaignFile.ts';
import { isLive, liveContent, MPD_ADDRESS } from './contents.ts';
import { rulesIn } from '../factors/rule.ts';

/** Rules of dash.js that are made for low-latency live streams, and not for others (its documentation of L2A and LoL+). */
export const LOW_LATENCY_RULES: readonly string[] = ['dashjs-l2a', 'dashjs-lolp'];

/** What is wrong where such a rule would play something else: a sentence each, with its path in the file. */
export function lowLatencyFaults({ rules, contents }: Pick<CampaignFile, 'rules' | 'contents'>): string[] {
  const other = contents.find((content) => !canHaveLowLatency(content));
  if (other === undefined) return [];
  return rules.flatMap((entry, index) =>
    rulesIn(entry)
      .filter((rule) => LOW_LATENCY_RULES.includes(rule))
      .map(
        (rule) =>
          `/rules/${index}: The rule ${rule} is made for live streams with low latency, and ${other} is none: play live:low-latency or the address of such a stream, or leave out the rule.`,
      ),
  );
}

/** An address may be that of anything. */
function canHaveLowLatency(content: string): boolean {
  if (MPD_ADDRESS.test(content)) return true;
  const live = isLive(content) ? liveContent(content) : null;
  return live?.ok === true && live.value.isLowLatency;
}
