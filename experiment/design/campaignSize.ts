import { sessionsInPair } from '../factors/arms.ts';
import type { CampaignFile } from './campaignFile.ts';
import { networkCount } from './networks.ts';

/** Maximum number of sessions: more than any machine park plays; a plan of them is still one readable file. */
const MAX_SESSIONS = 100_000;

/** Maximum number of sessions of a simulated campaign without logs: one process can hold their table and verdicts in memory. */
export const MAX_ROW_SESSIONS = 2_000_000;

/** Returns a sentence about a campaign of more sessions than `max`, or null. */
export function faultOfSize(campaign: CampaignFile, max = MAX_SESSIONS): string | null {
  const { contents, repeats, seeds } = campaign;
  const sessions =
    sessionsInPair(campaign) * Math.max(1, networkCount(campaign)) * contents.length * repeats * seeds.length;
  if (sessions <= max) return null;
  const rows = max < MAX_ROW_SESSIONS ? `; with --simulate --rows it is ${MAX_ROW_SESSIONS}` : '';
  return `The campaign has ${sessions} sessions; the maximum is ${max}${rows}.`;
}
