import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import type { Failure } from './errors.ts';
import { streamProcessors, type Processor } from './streamProcessors.ts';
import { newTrouble, withFailure, type Trouble } from './trouble.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const TEXT = 'text';

/**
 * dash.js gives up for good after four failed tries of one segment: with a single BaseURL its URL resolution fails,
 * it aborts what all media types load and clears their timers (ScheduleController._onURLResolutionFailed), and the
 * player waits for ever. This sets its schedulers going again until the origin is back, leaves out a segment that the
 * server does not have, and says so when neither helps. Subtitles that cannot be had never end playback.
 */
export interface Recovery {
  onFailure(failure: Failure, request: FragmentRequest | null, status: number): void;
  /** True from a failure until the next segment of the same kind (video, audio) arrives. */
  isWorking(): boolean;
  dispose(): void;
}

interface SkipTo {
  readonly mediaType: string;
  /** Presentation time after the segment that is left out. */
  readonly seconds: number;
}

interface Running {
  trouble: Trouble;
  waitMs: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createRecovery(player: MediaPlayerClass, onFatal: (message: string) => void): Recovery {
  /** By media type: audio that comes says nothing about video that does not. */
  const running = new Map<string, Running>();
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    if (error || request?.type !== 'MediaSegment') return;
    clearTimeout(running.get(request.mediaType)?.timer);
    running.delete(request.mediaType);
  };
  player.on('fragmentLoadingCompleted', onLoaded);
  return {
    isWorking: () => [...running.keys()].some((mediaType) => mediaType !== TEXT),
    onFailure({ message }, request, status) {
      const mediaType = request?.mediaType ?? '';
      const atMs = performance.now();
      const run = running.get(mediaType) ?? newRun(atMs);
      running.set(mediaType, run);
      const next = withFailure(run.trouble, { atMs, status, request, message });
      run.trouble = next.trouble;
      clearTimeout(run.timer);
      if (next.end !== null) return mediaType === TEXT ? undefined : onFatal(next.end);
      const skipTo = next.skipToSeconds === null ? null : { mediaType, seconds: next.skipToSeconds };
      run.timer = setTimeout(() => restart(player, skipTo), skipTo ? 0 : run.waitMs);
      run.waitMs = Math.min(run.waitMs * 2, LONGEST_WAIT_MS);
    },
    dispose() {
      for (const { timer } of running.values()) clearTimeout(timer);
      player.off('fragmentLoadingCompleted', onLoaded);
    },
  };
}

function newRun(sinceMs: number): Running {
  return { trouble: newTrouble(sinceMs), waitMs: FIRST_WAIT_MS, timer: undefined };
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
 * asks for the same segment again by itself, for ever. This function cancels that request; dash.js then asks for the
 * same time once more (StreamProcessor._onFragmentLoadingAbandoned), and then it gets another time.
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
