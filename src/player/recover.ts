import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import type { Failure } from './errors.ts';
import { secondsFromMs } from '../units.ts';
import { streamProcessors, type Processor } from './streamProcessors.ts';

/** ms without a single media segment after which playback ends with a message. */
export const GIVE_UP_MS = 120_000;
/** Rounds (each is dash.js' four tries) for a segment that the server says it does not have, before it is left out. */
const ROUNDS_FOR_A_MISSING_SEGMENT = 2;
/** Missing segments in a row after which it is the stream that is broken, not a segment. */
const MOST_MISSING = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;

/**
 * dash.js gives up for good after four failed tries of one segment: with a single BaseURL its URL resolution fails,
 * it aborts what all media types load and clears their timers (ScheduleController._onURLResolutionFailed), and the
 * player waits for ever. This sets its schedulers going again until the origin is back, leaves out a segment that the
 * server does not have, and says so when neither helps.
 */
export interface Recovery {
  onFailure(failure: Failure, request: FragmentRequest | null, status: number): void;
  dispose(): void;
}

interface Trouble {
  readonly sinceMs: number;
  waitMs: number;
  /** Segment start times that were given up since the last success. */
  readonly missing: Set<number>;
  rounds: Map<number, number>;
}

export function createRecovery(player: MediaPlayerClass, onFatal: (message: string) => void): Recovery {
  let trouble: Trouble | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    if (error || request?.type !== 'MediaSegment') return;
    trouble = null;
    stop();
  };
  player.on('fragmentLoadingCompleted', onLoaded);
  return {
    onFailure(failure, request, status) {
      const nowMs = performance.now();
      trouble ??= { sinceMs: nowMs, waitMs: FIRST_WAIT_MS, missing: new Set(), rounds: new Map() };
      const leftOut = isMissing(status) && request ? leaveOut(trouble, request) : false;
      const over = verdict(trouble, nowMs, failure);
      if (over) return onFatal(over);
      const skipTo = leftOut && request ? { mediaType: request.mediaType, seconds: afterOf(request) } : null;
      stop();
      timer = setTimeout(() => restart(player, skipTo), leftOut ? 0 : trouble.waitMs);
      trouble.waitMs = Math.min(trouble.waitMs * 2, LONGEST_WAIT_MS);
    },
    dispose() {
      stop();
      player.off('fragmentLoadingCompleted', onLoaded);
    },
  };
}

/** The server is there and says that this segment is not. */
const isMissing = (status: number): boolean => status === 404 || status === 410;

const afterOf = ({ startTime, duration }: FragmentRequest): number => startTime + duration * 1.5;

/** True when this round was the segment's last. */
function leaveOut({ missing, rounds }: Trouble, { startTime }: FragmentRequest): boolean {
  const round = (rounds.get(startTime) ?? 0) + 1;
  rounds.set(startTime, round);
  if (round < ROUNDS_FOR_A_MISSING_SEGMENT) return false;
  missing.add(startTime);
  return true;
}

function verdict({ sinceMs, missing }: Trouble, nowMs: number, { message }: Failure): string | null {
  if (missing.size >= MOST_MISSING)
    return `${message} ${missing.size} segments in a row are missing, so playback ends here.`;
  if (nowMs - sinceMs < GIVE_UP_MS) return null;
  return `${message} Nothing came for ${Math.round(secondsFromMs(nowMs - sinceMs))} s, so playback ends here.`;
}

function restart(player: MediaPlayerClass, skipTo: { mediaType: string; seconds: number } | null): void {
  for (const processor of streamProcessors(player)) {
    if (processor.isBufferingCompleted() || isLoading(processor)) continue;
    const skips = processor.getType() === skipTo?.mediaType;
    processor.setExplicitBufferingTime(skips && skipTo ? skipTo.seconds : bufferedUntil(player, processor));
    processor.getScheduleController().startScheduleTimer(0);
  }
}

/** dash.js went to another BaseURL by itself; a second request beside it would load a segment twice. */
const isLoading = (processor: Processor): boolean =>
  processor.getFragmentModel().getRequests({ state: 'loading' }).length > 0;

/** s. A little beyond the end of the buffer, which may lie just before a segment's end by rounding. */
function bufferedUntil(player: MediaPlayerClass, processor: Processor): number {
  const level = player.getBufferLength(processor.getType() as 'video');
  return player.getVideoElement().currentTime + (Number.isFinite(level) ? level : 0) + 0.1;
}
