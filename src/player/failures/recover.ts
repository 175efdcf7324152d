import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import { secondsFromMs } from '../../shared/units.ts';
import { bufferMsOf } from '../bridge/dashTerms.ts';
import { streamProcessors, type Processor } from '../streamProcessors.ts';
import type { Failure } from './errors.ts';
import { GIVE_UP_MS, NEXT_TO_NOTHING_MS } from './standstill.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const TEXT = 'text';

/**
 * dash.js gives up for good after four failed tries: with a single BaseURL its URL resolution fails, it aborts what all
 * media types load and clears their timers (ScheduleController._onURLResolutionFailed). This restarts its schedulers until
 * the origin is back, leaves out a segment that the server does not have, goes to the live edge where a live stream lacks
 * several, and says so when nothing helps. Subtitles that cannot be had never end playback.
 */
interface Recovery {
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

/** Calls `onSeek` before it moves playback to the live edge. */
export function createRecovery(
  player: MediaPlayerClass,
  { onFatal, onSeek }: { onFatal: (message: string) => void; onSeek: () => void },
): Recovery {
  /** Recoveries by media type: audio that comes says nothing about video that does not. */
  const running = new Map<string, Running>();
  const played = new Set<string>();
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    if (error || request?.type !== MEDIA) return;
    played.add(request.mediaType);
    clearTimeout(running.get(request.mediaType)?.timer);
    running.delete(request.mediaType);
  };
  player.on('fragmentLoadingCompleted', onLoaded);
  /** A seek aborts what is loading without a failure, so that dash.js may ask for nothing from then on. */
  const goOn = (run: Running, step: () => void, again: { step: () => void; waitMs: number }): void => {
    step();
    run.timer = setTimeout(() => {
      const isIdle = !streamProcessors(player).some(isLoading);
      goOn(run, isIdle ? again.step : () => undefined, again);
    }, again.waitMs);
  };
  const tryAgain = (run: Running, mediaType: string, { skipToSeconds, goesLive }: AfterFailure): void => {
    const skipTo = skipToSeconds === null ? null : { mediaType, seconds: skipToSeconds };
    // An encoder may go on at any moment, and its server answers.
    if (goesLive) run.waitMs = FIRST_WAIT_MS;
    const step = (): void => {
      if (goesLive && isEmpty(player, mediaType)) goLive(player, onSeek);
      else restart(player, skipTo);
    };
    // The edge has moved on meanwhile.
    const again = goesLive
      ? { step, waitMs: 2 * FIRST_WAIT_MS }
      : { step: () => restart(player, null), waitMs: LONGEST_WAIT_MS };
    run.timer = setTimeout(() => goOn(run, step, again), skipTo ? 0 : run.waitMs);
    run.waitMs = Math.min(run.waitMs * 2, LONGEST_WAIT_MS);
  };
  return {
    isWorking: () => [...running.keys()].some((mediaType) => mediaType !== TEXT),
    onFailure({ message }, request, status) {
      const mediaType = request?.mediaType ?? '';
      const atMs = performance.now();
      const run = running.get(mediaType) ?? newRun(atMs);
      running.set(mediaType, run);
      // Nobody is moved for subtitles.
      const isLive = player.isDynamic() && mediaType !== TEXT;
      const hasPlayed = played.has(mediaType);
      const next = withFailure(run.trouble, { atMs, status, request, message, isLive, hasPlayed });
      run.trouble = next.trouble;
      clearTimeout(run.timer);
      if (next.end !== null) return mediaType === TEXT ? undefined : onFatal(next.end);
      tryAgain(run, mediaType, next);
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

/** What is loaded is shown first, and a viewer who has paused stays there. */
const isEmpty = (player: MediaPlayerClass, mediaType: string): boolean =>
  !player.getVideoElement().paused && bufferMsOf(player, mediaType as 'video') < NEXT_TO_NOTHING_MS;

/** Asks for a live stream at its edge, or again at `placeS`, s, where that is given and the window still has it. */
export function goLive(player: MediaPlayerClass, onSeek: () => void, placeS = 0): void {
  onSeek();
  if (placeS > player.getDvrWindow().start) player.getVideoElement().currentTime = placeS;
  else player.seekToOriginalLive();
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

/** Returns a time a little beyond the end of the buffer, s: the buffer may end just before a segment's end by rounding. */
function bufferedUntil(player: MediaPlayerClass, processor: Processor): number {
  const level = player.getBufferLength(processor.getType() as 'video');
  return player.getVideoElement().currentTime + (Number.isFinite(level) ? level : 0) + 0.1;
}

/** Rounds (each is dash.js' four tries) for something that the server says it does not have. */
const ROUNDS_FOR_WHAT_IS_MISSING = 2;
/** Missing segments in a row after which the stream counts as broken. */
const MAX_MISSING = 5;
/** Missing segments in a row after which a live encoder counts as stopped: what comes next will be at the live edge. */
const MAX_MISSING_LIVE = 2;

const MEDIA = 'MediaSegment';

/** Failures of one media type since its last success. */
interface Trouble {
  readonly sinceMs: number;
  /** Failed rounds by what was wanted, see `wantedOf`. */
  readonly rounds: ReadonlyMap<string, number>;
  /** Start times (s) of the segments that were left out. */
  readonly missing: ReadonlySet<number>;
}

export interface FailedRound {
  readonly atMs: number;
  /** HTTP status of the answer; 0 when the server did not answer. */
  readonly status: number;
  readonly request: {
    /** dash.js' HTTPRequest types: `MediaSegment`, `InitializationSegment`, `IndexSegment` … */
    readonly type: string | null;
    readonly url: string | null;
    /** Missing in dash.js' index.d.ts. */
    readonly range?: string | null;
    /** Start of the segment, s of presentation time; NaN for what is no media segment. */
    readonly startTime: number;
    readonly duration: number;
  } | null;
  /** What failed, in one sentence for people. */
  readonly message: string;
  readonly isLive: boolean;
  /** Whether any segment of this media type has come: then the server lacks files for a time, and no stream is broken. */
  readonly hasPlayed: boolean;
}

interface AfterFailure {
  readonly trouble: Trouble;
  /** Presentation time, s, at which loading goes on where the segment is left out. */
  readonly skipToSeconds: number | null;
  /** Whether loading goes on at the live edge. */
  readonly goesLive: boolean;
  /** The sentence that playback ends with where nothing helps. */
  readonly end: string | null;
}

export function newTrouble(sinceMs: number): Trouble {
  return { sinceMs, rounds: new Map(), missing: new Set() };
}

/** One more failed round: try again, go around it, go to the live edge, or end. */
export function withFailure(before: Trouble, failed: FailedRound): AfterFailure {
  const { trouble, isGone } = counted(before, failed);
  const { isLive, hasPlayed, request } = failed;
  const isMissing = isGone && request?.type === MEDIA;
  const goesLive = isMissing && isLive && trouble.missing.size >= MAX_MISSING_LIVE;
  const skips = isMissing && !goesLive;
  const end =
    isGone && !isMissing && !hasPlayed
      ? endWithout(failed)
      : skips
        ? endOfMany(trouble, failed)
        : endOfWaiting(trouble, failed);
  return { trouble, skipToSeconds: skips ? afterOf(request) : null, goesLive, end };
}

/** `isGone`: this was the last round for something that the server is there for and says it does not have. */
function counted(
  before: Trouble,
  { status, request, isLive }: FailedRound,
): { trouble: Trouble; isGone: boolean } {
  if ((status !== 404 && status !== 410) || !request) return { trouble: before, isGone: false };
  const wanted = wantedOf(request);
  const round = (before.rounds.get(wanted) ?? 0) + 1;
  const isMedia = request.type === MEDIA;
  const isOutage = isLive && isMedia && before.missing.size > 0;
  const isGone = isOutage || round >= ROUNDS_FOR_WHAT_IS_MISSING;
  const trouble = {
    ...before,
    rounds: new Map([...before.rounds, [wanted, round]]),
    missing: isGone && isMedia ? new Set([...before.missing, request.startTime]) : before.missing,
  };
  return { trouble, isGone };
}

/** A media segment by its time, because another rung or BaseURL would do as well; the rest by file and byte range. */
const wantedOf = ({ type, url, range, startTime }: NonNullable<FailedRound['request']>): string =>
  type === MEDIA ? `at ${startTime}` : `${url} ${range}`;

const afterOf = ({ startTime, duration }: NonNullable<FailedRound['request']>): number =>
  startTime + duration * 1.5;

function endOfMany(trouble: Trouble, failed: FailedRound): string | null {
  const { size } = trouble.missing;
  if (size < MAX_MISSING) return endOfWaiting(trouble, failed);
  return `${failed.message} ${size} segments in a row are missing, so playback ends here.`;
}

/** A media segment can be left out; without its initialization or index none of them is of use. */
const endWithout = ({ message }: FailedRound): string =>
  `${message} No segment can be played without it, so playback ends here.`;

function endOfWaiting({ sinceMs }: Trouble, { atMs, message }: FailedRound): string | null {
  if (atMs - sinceMs < GIVE_UP_MS) return null;
  return `${message} Nothing came for ${Math.round(secondsFromMs(atMs - sinceMs))} s, so playback ends here.`;
}
