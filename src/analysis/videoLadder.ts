import { eventsOf } from './eventsOf.ts';
import { oncePerLog } from './oncePerLog.ts';

/** The video of a whole session as one ladder. */
export interface VideoLadder {
  /** Ascending, each once, over all periods and restrictions; also a rendered one that no ladder names. */
  readonly bitratesKbps: readonly number[];
  /** Of the first ladder that says it. */
  readonly segmentMs: number | null;
}

/** Null when no video ladder was read. */
export const videoLadder = oncePerLog((log): VideoLadder | null => {
  const ladders = eventsOf(log, 'ladder').filter(({ mediaType }) => mediaType === 'video');
  if (ladders.length === 0) return null;
  const rendered = eventsOf(log, 'switch').filter(
    ({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered',
  );
  const offered = ladders.flatMap(({ rungs }) => rungs);
  const bitratesKbps = [...offered, ...rendered].map((each) => each.bitrateKbps);
  const told = ladders.find(({ segmentMs }) => segmentMs !== null && segmentMs > 0);
  return {
    bitratesKbps: [...new Set(bitratesKbps)].sort((a, b) => a - b),
    segmentMs: told?.segmentMs ?? null,
  };
});
