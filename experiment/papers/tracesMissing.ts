import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { TRACE } from '../plan/campaignFaults.ts';

/** One sentence about traces that a campaign names and this machine lacks, or null. */
export function tracesMissing(file: string, { profiles }: Pick<CampaignFile, 'profiles'>): string | null {
  const traces = profiles
    .filter((profile) => profile.startsWith(TRACE))
    .map((each) => each.slice(TRACE.length));
  const missing = traces.filter((trace) => !existsSync(path.resolve(path.dirname(file), trace)));
  const [first] = missing;
  return first === undefined
    ? null
    : `${file}: /profiles: ${missing.length} of its ${traces.length} traces are missing; the first is ${first} (relative to the campaign file). Recorded traces are not part of Pitwall: campaigns/README.md explains where to get them and where to put them.`;
}
