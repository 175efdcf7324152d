import path from 'node:path';
import { cellLive } from './cellLive.ts';
import { cellOrigin } from './cellOrigin.ts';
import type { Place } from './place.ts';
import { ORIGIN_HOST, type CompareCell, type ComparePlan, type LiveCell, type SharedOrigin } from './plan.ts';
import { during } from './sessionFailure.ts';
import { sessionFiles } from './sessionFiles.ts';
import { VISIT_MS } from '../../plan/campaignDuration.ts';

/** An origin on loopback for one session and its live stream. */
export interface LiveOrigin extends Pick<Place, 'ready' | 'leave'> {
  readonly address: Omit<SharedOrigin, 'appUrl'>;
}

/** Play is requested so long after the page is ready, and after its visit: at a moment that is known, as over a link. */
const AHEAD_MS = 1000;

/** @throws SessionFailure when the laboratory could not make it */
export async function liveOrigin(
  { logDir, instrumented, browserProfile }: Pick<ComparePlan, 'logDir' | 'instrumented' | 'browserProfile'>,
  cell: CompareCell,
  live: LiveCell,
): Promise<LiveOrigin> {
  const stream = await during('origin-did-not-answer', cellLive(live));
  const { transportLog: transportLogFile } = sessionFiles(logDir, cell.id);
  const about = {
    host: `${cell.id}.${ORIGIN_HOST}`,
    mounts: stream.mounts,
    accessLogFile: path.join(logDir, `${cell.id}.access.jsonl`),
  };
  const starting = cellOrigin(instrumented, cell).start(about, transportLogFile);
  const origin = await during('origin-did-not-answer', starting).catch(async (error: unknown) => {
    await stream.stop();
    throw error;
  });
  return {
    address: {
      httpsPort: origin.httpsPort,
      spkiSha256Base64: origin.spki,
      ...(instrumented && { transportLogFile }),
    },
    ready() {
      const playDueAtUnixMs = Date.now() + AHEAD_MS + (browserProfile === 'warm' ? VISIT_MS : 0);
      stream.restart(playDueAtUnixMs);
      return Promise.resolve(playDueAtUnixMs);
    },
    async leave() {
      await origin.stop();
      await stream.stop();
    },
  };
}
