import type { LiveCell } from './plan.ts';
import { startLiveStream, type LiveStream } from '../../../lab/content/liveStream.ts';
import { encodedSource } from '../../../lab/content/liveSource.ts';
import { liveRecipe } from '../../../lab/content/ladder.ts';
import { paddedSource } from '../../../lab/content/padded/paddedSource.ts';

/** A player finds a full window behind it. */
const MIN_AGE_SECONDS = 60;

/** The live stream of one session, and where its origin mounts it. */
export interface CellLive extends Pick<LiveStream, 'restart' | 'stop'> {
  readonly mounts: Readonly<Record<string, { readonly proxyUrl: string }>>;
}

/**
 * Starts the live stream of a session. After `restart(playDueAtUnixMs)` a whole number of segments is there when play is
 * requested: every arm of a pair, and every session, meets the same stream at the same place.
 */
export async function cellLive(
  { prefix, folder, isPadded, isLowLatency }: LiveCell,
  namespace?: string,
): Promise<CellLive> {
  const source = await (isPadded ? paddedSource(folder) : encodedSource(liveRecipe, folder));
  const { segmentSeconds } = source.recipe;
  const ageSeconds = Math.ceil(MIN_AGE_SECONDS / segmentSeconds) * segmentSeconds;
  const stream = await startLiveStream({
    ...{ source, isLowLatency, ageSeconds },
    ...(namespace !== undefined && { namespace }),
  });
  return { ...stream, mounts: { [prefix]: { proxyUrl: stream.proxyUrl } } };
}
