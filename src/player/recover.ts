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

interface SkipTo {
  readonly mediaType: string;
  /** Presentation time after the segment that is left out. */
  readonly seconds: number;
}

interface Trouble {
  readonly sinceMs: number;
  waitMs: number;
  /** Start times of the segments that were left out since the last success. */
  readonly missing: Set<number>;
  /** Failed rounds by segment start time. */
  readonly rounds: Map<number, number>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createRecovery(player: MediaPlayerClass, onFatal: (message: string) => void): Recovery {
  /** By media type: audio that comes says nothing about video that does not. */
  const troubles = new Map<string, Trouble>();
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    if (error || request?.type !== 'MediaSegment') return;
    clearTimeout(troubles.get(request.mediaType)?.timer);
    troubles.delete(request.mediaType);
  };
  player.on('fragmentLoadingCompleted', onLoaded);
  return {
    onFailure(failure, request, status) {
      const nowMs = performance.now();
      const mediaType = request?.mediaType ?? '';
      const trouble = troubles.get(mediaType) ?? newTrouble(nowMs);
      troubles.set(mediaType, trouble);
      const leftOut = isMissing(status) && request !== null && leaveOut(trouble, request);
      const over = verdict(trouble, nowMs, failure);
      if (over) return onFatal(over);
      const skipTo = leftOut ? { mediaType, seconds: afterOf(request) } : null;
      clearTimeout(trouble.timer);
      trouble.timer = setTimeout(() => restart(player, skipTo), leftOut ? 0 : trouble.waitMs);
      trouble.waitMs = Math.min(trouble.waitMs * 2, LONGEST_WAIT_MS);
    },
    dispose() {
      for (const { timer } of troubles.values()) clearTimeout(timer);
      player.off('fragmentLoadingCompleted', onLoaded);
    },
  };
}

function newTrouble(sinceMs: number): Trouble {
  return { sinceMs, waitMs: FIRST_WAIT_MS, missing: new Set(), rounds: new Map(), timer: undefined };
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

function restart(player: MediaPlayerClass, skipTo: SkipTo | null): void {
  for (const processor of streamProcessors(player)) {
    if (processor.isBufferingCompleted()) continue;
    const skips = processor.getType() === skipTo?.mediaType;
    if (skips && skipTo && isLoading(processor)) {
      leaveForLater(player, processor, skipTo);
      continue;
    }
    if (isLoading(processor)) continue;
    processor.setExplicitBufferingTime(skips && skipTo ? skipTo.seconds : bufferedUntil(player, processor));
    processor.getScheduleController().startScheduleTimer(0);
  }
}

/**
 * After its first failure dash.js' list of bad service locations listens no more (BaseURLSelector.reset), and dash.js
 * asks for the same segment again by itself, for ever. That request is taken back; dash.js then wants the same time
 * once more (StreamProcessor._onFragmentLoadingAbandoned), and that is when it is told another.
 */
function leaveForLater(player: MediaPlayerClass, processor: Processor, { mediaType, seconds }: SkipTo): void {
  const onAbandoned = ({ request }: { request?: FragmentRequest }): void => {
    if (request?.mediaType !== mediaType) return;
    player.off('fragmentLoadingAbandoned', onAbandoned);
    processor.setExplicitBufferingTime(seconds);
  };
  player.on('fragmentLoadingAbandoned', onAbandoned);
  processor.getFragmentModel().abortRequests();
}

/** dash.js went to another BaseURL, or on, by itself; a second request beside it would load a segment twice. */
const isLoading = (processor: Processor): boolean =>
  processor.getFragmentModel().getRequests({ state: 'loading' }).length > 0;

/** s. A little beyond the end of the buffer, which may lie just before a segment's end by rounding. */
function bufferedUntil(player: MediaPlayerClass, processor: Processor): number {
  const level = player.getBufferLength(processor.getType() as 'video');
  return player.getVideoElement().currentTime + (Number.isFinite(level) ? level : 0) + 0.1;
}
