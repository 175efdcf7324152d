import { existsSync } from 'node:fs';
import path from 'node:path';
import { tools } from '../../../lab/tools.ts';
import { formatDuration } from '../../plan/formatDuration.ts';
import type { CampaignPlan, MadeContent } from '../../plan/plan.ts';

/** ffmpeg, and writing one segment: on two cores with nothing else to do. */
const ENCODE_MS = 1500;
const SEGMENT_MS = 0.4;

/** A line for each stream that is made for a campaign: what it is, and whether it has to be made yet. */
export const formatContent = ({ contents = [] }: Pick<CampaignPlan, 'contents'>): string[] =>
  contents.map((content) => `${content.name}: ${formatStream(content)}; ${formatMaking(content)}`);

function formatStream({ segments, segmentSeconds, ladderKbps, audioKbps, live }: MadeContent): string {
  const long = formatDuration(segments * segmentSeconds * 1000);
  const sound = audioKbps === null ? 'no audio' : `audio of ${audioKbps} kbit/s`;
  const kind = live === 'low-latency' ? 'live in chunks, ' : 'live, ';
  const repeated = live ? `${kind}${long}, repeated,` : long;
  return `${repeated} in segments of ${segmentSeconds} s, ${ladderKbps.join(', ')} kbit/s, ${sound}`;
}

function formatMaking({ folder, segments, ladderKbps, audioKbps }: MadeContent): string {
  if (isInCache(folder)) return 'in the cache';
  const tracks = ladderKbps.length + (audioKbps === null ? 0 : 1);
  return `must be made first, in about ${formatDuration(ENCODE_MS + tracks * segments * SEGMENT_MS)}`;
}

/** A plan can be made where set-up has not run. */
function isInCache(folder: string): boolean {
  try {
    const { cacheFolder } = tools();
    return cacheFolder !== null && existsSync(path.join(cacheFolder, 'content', folder));
  } catch {
    return false;
  }
}
