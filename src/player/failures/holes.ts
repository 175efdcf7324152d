import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import {
  allProcessors,
  streamProcessors,
  type Processor,
  type Segment,
  type TimedRepresentation,
  type TimelineEntry,
} from '../streamProcessors.ts';

const LOOK_EVERY_MS = 1000;
/** s. Timelines are rounded; dash.js tolerates as much at their end (5.2.1, DashHandler.isLastSegmentRequested). */
const TOLERATED_S = 0.05;
/** s. A little beyond the beginning of the segment that is meant, which rounding may move (dash.js' safetyOffset). */
const INTO_SEGMENT_S = 0.01;

/**
 * Leads dash.js over holes in a SegmentTimeline. Returns the disposer.
 *
 * It looks for the next segment where the last one ends (5.2.1, TimelineSegmentsGetter.getSegmentByIndex). Where none begins
 * there it takes a stream on demand for loaded to its end, and waits in a live one, however many segments come later. This gives
 * it the time of the next one that is listed; playback jumps the hole then, as it does where a segment is missing. Call it before
 * the player is initialized. `onSeek` is called before dash.js seeks by itself, out of a hole for one.
 */
export function leadOverHoles(
  player: MediaPlayerClass,
  { notify, onSeek }: { notify(sentence: string): void; onSeek(): void },
): () => void {
  knowHoles(player);
  knowOwnSeeks(player, onSeek);
  /** By media type: where a hole begins that was not reported yet, s of presentation time. */
  const begun = new Map<string, number>();
  const lead = (processor: Processor): void => {
    const hole = holeBehind(processor);
    if (hole === null) return;
    begun.set(processor.getType(), hole.fromS);
    processor.setExplicitBufferingTime(hole.toS + INTO_SEGMENT_S);
  };
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    if (error || request?.type !== 'MediaSegment') return;
    for (const processor of allProcessors(player))
      if (processor.getType() === request.mediaType && isLastOf(processor, request)) lead(processor);
  };
  const onStarted = ({ request }: { request?: FragmentRequest }): void => {
    const fromS = request?.type === 'MediaSegment' ? begun.get(request.mediaType) : undefined;
    if (request === undefined || fromS === undefined) return;
    begun.delete(request.mediaType);
    // After a seek it is another request.
    if (request.startTime < fromS + TOLERATED_S) return;
    const place = `from ${fromS.toFixed(1)} to ${request.startTime.toFixed(1)} s`;
    notify(`The manifest lists no ${request.mediaType} ${place}, so playback jumps over that.`);
  };
  // A refresh may list what lies behind a hole after everything before it was loaded.
  const timer = setInterval(() => {
    if (!player.isReady() || !player.isDynamic() || player.isPaused()) return;
    for (const processor of streamProcessors(player))
      if (processor.getFragmentModel().getRequests({ state: 'loading' }).length === 0) lead(processor);
  }, LOOK_EVERY_MS);
  player.on('fragmentLoadingCompleted', onLoaded);
  player.on('fragmentLoadingStarted', onStarted);
  return () => {
    clearInterval(timer);
    player.off('fragmentLoadingCompleted', onLoaded);
    player.off('fragmentLoadingStarted', onStarted);
  };
}

/** The part of dash.js' DashHandler (dash/DashHandler.js) that says whether all is requested. Times in s of presentation time. */
interface DashHandler {
  getLastSegment(): Segment | null;
  isLastSegmentRequested(representation: TimedRepresentation | null, bufferingTime: number): boolean;
}

/**
 * Once dash.js has found nothing behind a segment it takes the stream for loaded ever after, so that a seek into a hole ends it.
 * Where more is listed it then looks for the next segment by itself (5.2.1, StreamProcessor._noMediaRequestGenerated).
 */
function knowHoles(player: Pick<MediaPlayerClass, 'extend'>): void {
  const extension = function (this: { readonly parent: DashHandler }): Partial<DashHandler> {
    const { getLastSegment, isLastSegmentRequested } = this.parent;
    return {
      isLastSegmentRequested: (representation, bufferingTime) =>
        isLastSegmentRequested(representation, bufferingTime) &&
        holeFrom(bufferingTime, getLastSegment(), representation) === null,
    };
  };
  player.extend('DashHandler', extension, true);
}

/** The part of dash.js' PlaybackController (streaming/controllers/PlaybackController.js) that seeks. */
interface PlaybackController {
  seek(toS: number, stickToBuffered?: boolean, isInternal?: boolean, adjustsDelay?: boolean): void;
}

/**
 * dash.js announces a seek that it makes out of a hole as it does one of the page. Only a page's adjusts the live delay (5.2.1,
 * MediaPlayer.seek); those that it calls internal are not announced.
 */
function knowOwnSeeks(player: Pick<MediaPlayerClass, 'extend'>, onSeek: () => void): void {
  const extension = function (this: { readonly parent: PlaybackController }): PlaybackController {
    const { seek } = this.parent;
    return {
      seek(...given) {
        const [, , isInternal, adjustsDelay] = given;
        if (!isInternal && !adjustsDelay) onSeek();
        seek(...given);
      },
    };
  };
  player.extend('PlaybackController', extension, true);
}

function isLastOf(processor: Processor, { startTime }: FragmentRequest): boolean {
  const last = processor.getLastSegment();
  return last !== null && Math.abs(last.presentationStartTime - startTime) < TOLERATED_S;
}

/** s of presentation time. */
interface Hole {
  readonly fromS: number;
  readonly toS: number;
}

function holeBehind(processor: Processor): Hole | null {
  const last = processor.getLastSegment();
  const endS = last ? last.presentationStartTime + last.duration : NaN;
  return holeFrom(endS, last, processor.getRepresentation());
}

/** What is left of a hole at `fromS`, s of presentation time; `segment` says how that goes with media time. null: there is none. */
function holeFrom(
  fromS: number,
  segment: Segment | null,
  representation: TimedRepresentation | null,
): Hole | null {
  if (segment === null || representation === null) return null;
  const offsetS = segment.presentationStartTime - segment.mediaStartTime;
  const nextS = nextListedS(timelineOf(representation), fromS - offsetS);
  return nextS === null ? null : { fromS, toS: nextS + offsetS };
}

/** A SegmentTimeline as dash.js' parser leaves it, with its timescale. */
export interface Timeline {
  readonly timescale: number;
  readonly entries: readonly TimelineEntry[];
}

function timelineOf(representation: TimedRepresentation): Timeline {
  const { SegmentTemplate, SegmentList } = elementOf(representation) ?? {};
  const { timescale } = representation;
  return { timescale, entries: (SegmentTemplate ?? SegmentList)?.SegmentTimeline?.S ?? [] };
}

function elementOf({ index, adaptation }: TimedRepresentation) {
  const { period } = adaptation;
  const set = period.mpd.manifest.Period?.[period.index]?.AdaptationSet?.[adaptation.index];
  return set?.Representation?.[index];
}

/**
 * Where the first segment begins that is listed behind a hole at `endS`, in s of media time; null where one begins at `endS` or
 * plays then, or none is listed there. A negative `r` goes on until the next entry with a time, so it leaves no hole (ISO/IEC 23009-1, 5.3.9.6).
 */
export function nextListedS({ timescale, entries }: Timeline, endS: number): number | null {
  let beginS = 0;
  let isOpen = false;
  for (const { t, d, r = 0 } of entries) {
    if (t !== undefined) beginS = t / timescale;
    if (beginS > endS + TOLERATED_S) return isOpen ? null : beginS;
    isOpen = r < 0;
    if (isOpen) continue;
    beginS += (d / timescale) * (r + 1);
    if (beginS > endS + TOLERATED_S) return null;
  }
  return null;
}
