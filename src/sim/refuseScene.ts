import type { Track } from './content.ts';
import type { Scene } from './model.ts';

/** An outcome holds a rung in a byte. */
const MAX_RUNGS = 256;

/** Throws one sentence on content that no model can play. Costs nothing: sizes are looked at when they are needed. */
export function refuseScene({ content }: Scene): void {
  refuseTrack(content.name, 'video', content.video);
  if (content.audio) refuseTrack(content.name, 'audio', content.audio);
}

function refuseTrack(name: string, what: string, { ladder, sizesBytes, segments, segmentMs }: Track): void {
  if (ladder.length === 0 || ladder.length > MAX_RUNGS)
    throw new Error(`${name}: a ladder of ${ladder.length} ${what} rungs; a model plays 1 to ${MAX_RUNGS}.`);
  if (sizesBytes.length !== ladder.length)
    throw new Error(`${name}: ${ladder.length} ${what} rungs, but sizes of ${sizesBytes.length}.`);
  if (!(segments >= 1) || !(segmentMs > 0))
    throw new Error(`${name}: ${segments} ${what} segments of ${segmentMs} ms cannot be played.`);
}
