import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import { msFromSeconds, secondsFromMs } from '../../shared/units.ts';
import { bufferMsOf } from '../bridge/dashTerms.ts';
import { streamProcessors, type Processor } from '../streamProcessors.ts';

const LOOK_EVERY_MS = 1000;

interface Watching {
  readonly player: MediaPlayerClass;
  readonly video: HTMLVideoElement;
  readonly requestsInFlight: () => number;
  readonly isRecovering: () => boolean;
  /** Asks for a live stream again that got no answer. */
  readonly goOn: () => void;
  readonly fail: (message: string) => void;
}

/**
 * Ends playback that stands still, or ends early, without any error: the browser's parser swallows whole files that
 * are well-formed boxes without media, and dash.js takes what it could append for played. Returns the disposer.
 */
export function watchStandstill(watching: Watching): () => void {
  const { player, video, goOn, fail } = watching;
  const segments = { video: 0, audio: 0 };
  /** When bytes of a segment came last, or it was asked for again, `performance.now()`. */
  let bytesMs = 0;
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    const mediaType = request?.mediaType;
    if (error || request?.type !== 'MediaSegment') return;
    if (mediaType === 'video' || mediaType === 'audio') segments[mediaType] += 1;
  };
  // After a failure bytes may be those of error pages.
  const onBytes = (): void => {
    if (!watching.isRecovering()) bytesMs = performance.now();
  };
  const onEnded = (): void => {
    const sentence = formatShortEnd(msFromSeconds(video.currentTime), promisedMs(player), listedMs(player));
    if (sentence !== null) fail(sentence);
  };
  let standstill: Standstill | null = null;
  const timer = setInterval(() => {
    if (!player.isReady() || player.getActiveStream() === null) return;
    standstill = watched(standstill, glanceAt(watching, segments));
    if (hangs(standstill, bytesMs)) {
      bytesMs = performance.now();
      goOn();
    }
    const sentence = formatStandstill(standstill);
    if (sentence !== null) fail(sentence);
  }, LOOK_EVERY_MS);
  player.on('fragmentLoadingCompleted', onLoaded);
  player.on('loadingProgress', onBytes);
  video.addEventListener('ended', onEnded);
  return () => {
    clearInterval(timer);
    player.off('fragmentLoadingCompleted', onLoaded);
    player.off('loadingProgress', onBytes);
    video.removeEventListener('ended', onEnded);
  };
}

function glanceAt(
  { player, video, requestsInFlight, isRecovering }: Watching,
  segments: Readonly<Record<'video' | 'audio', number>>,
): Glance {
  const present = streamProcessors(player).map((processor) => processor.getType());
  return {
    atMs: performance.now(),
    playheadMs: msFromSeconds(video.currentTime),
    buffered: rangesOf(video.buffered),
    shouldPlay: !video.paused && !video.ended && video.playbackRate > 0 && !document.hidden,
    isRecovering: isRecovering(),
    requestsInFlight: requestsInFlight(),
    isLive: player.isDynamic(),
    media: (['video', 'audio'] as const)
      .filter((mediaType) => present.includes(mediaType))
      .map((mediaType) => ({
        mediaType,
        aheadMs: bufferMsOf(player, mediaType),
        segments: segments[mediaType],
      })),
  };
}

const rangesOf = (ranges: TimeRanges): string =>
  Array.from({ length: ranges.length }, (_, index) => `${ranges.start(index)}-${ranges.end(index)}`).join();

/** Returns the presentation's length by the manifest, in ms; NaN without an end. dash.js cut the element's duration. */
function promisedMs(player: MediaPlayerClass): number {
  if (!player.isReady() || player.getActiveStream() === null || player.isDynamic()) return NaN;
  return msFromSeconds(player.getActiveStream()?.getStreamInfo()?.manifestInfo.duration ?? NaN);
}

/** Where the last segment ends that is listed for what plays, ms of presentation time; null without a SegmentTimeline. */
function listedMs(player: MediaPlayerClass): number | null {
  const ends = streamProcessors(player).map(listedUntilS);
  const known = ends.filter((each): each is number => each !== null);
  return known.length > 0 ? msFromSeconds(Math.max(...known)) : null;
}

function listedUntilS(processor: Processor): number | null {
  const last = processor.getLastSegment();
  const listedS = processor.getRepresentation()?.mediaFinishedInformation?.mediaTimeOfLastSignaledSegment;
  return last === null || listedS === undefined || !Number.isFinite(listedS)
    ? null
    : last.presentationStartTime + listedS - last.mediaStartTime;
}

/**
 * ms. Longer than anything that passes by itself: dash.js polls every 0.5 s, gives a segment four tries a second apart
 * and at most 20 s each (settings of 5.2.1), and starts a decoder anew within seconds.
 */
export const STANDSTILL_MS = 30_000;
/** Time without a single media segment after which playback ends with a message, ms. */
export const GIVE_UP_MS = 120_000;
/** Time after which a live stream that hangs is asked anew, ms. Above the longest outage of the lab (60 s). */
const ASK_AGAIN_MS = 65_000;
/** Number of segments of which nothing could be played; after so many, loading more of them is no hope. */
const FRUITLESS_SEGMENTS = 10;
/** Longest time between two looks, ms: after a longer one the machine slept, or the tab was throttled. */
const LONGEST_BLINK_MS = 5000;
/** Media that counts as none, ms: a decoder may keep a last bit to itself. */
export const NEXT_TO_NOTHING_MS = 500;

/** What can be seen from outside, about once a second. */
export interface Glance {
  readonly atMs: number;
  readonly playheadMs: number;
  /** Anything that changes when the element's buffered ranges do. */
  readonly buffered: string;
  /** False when nothing should move: paused, ended, hidden or at rate 0. */
  readonly shouldPlay: boolean;
  /** Something is being done about a failure. */
  readonly isRecovering: boolean;
  readonly requestsInFlight: number;
  readonly isLive: boolean;
  readonly media: readonly MediaGlance[];
}

interface MediaGlance {
  readonly mediaType: 'video' | 'audio';
  /** Media after the playhead. */
  readonly aheadMs: number;
  /** Media segments that came, since the start. */
  readonly segments: number;
}

export interface Standstill {
  readonly last: Glance;
  /** Since when nothing moves and nothing explains it. */
  readonly sinceMs: number;
  /** When something moved last. */
  readonly moved: Glance;
  /** Since when playback lacks media and none came. */
  readonly cameMs: number;
}

/** Follows playback; to be given its own answer back with the next look. */
export function watched(before: Standstill | null, now: Glance): Standstill {
  const cameMs = before === null || comes(before.last, now) ? now.atMs : before.cameMs;
  if (before === null || moves(before.last, now)) return { last: now, sinceMs: now.atMs, moved: now, cameMs };
  return { ...before, last: now, sinceMs: hopes(before, now) ? now.atMs : before.sinceMs, cameMs };
}

/** The sentence that playback ends with once it has stood still for too long without any error; null until then. */
export function formatStandstill({ last, sinceMs, cameMs }: Standstill): string | null {
  const place = `Playback stands still at ${secondsFromMs(last.playheadMs).toFixed(1)} s`;
  // A live stream has moved on by then, whatever a running request still brings.
  const isHopeless = last.isLive || last.requestsInFlight === 0;
  if (isHopeless && last.atMs - cameMs >= GIVE_UP_MS)
    return `${place}: no segment came for ${Math.round(secondsFromMs(last.atMs - cameMs))} s, so playback ends here.`;
  if (last.atMs - sinceMs < STANDSTILL_MS) return null;
  const lacking = lackingIn(last).map(({ mediaType }) => mediaType);
  return lacking.length > 0
    ? `${place}: no ${lacking.join(' and no ')} can be played there, though no request failed; ` +
        'what is there was not loaded, is damaged or no media at all.'
    : `${place} although the media there is loaded: the browser does not go on decoding it.`;
}

/** Whether a live stream is asked in vain for too long: no segment came, and what is under way has brought no byte since `bytesMs`. */
export const hangs = ({ last, cameMs }: Standstill, bytesMs: number): boolean =>
  last.isLive && last.requestsInFlight > 0 && last.atMs - Math.max(cameMs, bytesMs) >= ASK_AGAIN_MS;

const blinked = (last: Glance, now: Glance): boolean => now.atMs - last.atMs > LONGEST_BLINK_MS;

function moves(last: Glance, now: Glance): boolean {
  const isExcused = blinked(last, now) || !now.shouldPlay || now.isRecovering;
  return isExcused || now.playheadMs !== last.playheadMs || now.buffered !== last.buffered;
}

/** Highest playback rate: a playhead that goes faster was put somewhere. */
const HIGHEST_RATE = 2.5;

/** Media came (a seek empties the buffer), or is not lacking; before the first segment it is another question why none comes. */
function comes(last: Glance, now: Glance): boolean {
  const lacking = lackingIn(now);
  const rate = (now.playheadMs - last.playheadMs) / (now.atMs - last.atMs);
  const plays = rate > 0 && rate < HIGHEST_RATE;
  const isExcused =
    blinked(last, now) || !now.shouldPlay || now.media.every(({ segments }) => segments === 0);
  const grows = now.buffered !== '' && now.buffered !== last.buffered;
  const isThere = grows || fruitless(last, lacking) > 0 || lacking.length === 0;
  return isExcused || plays || isThere;
}

/** Something is on its way, or a live stream has nothing new yet; but not if what came before was all of no use. */
function hopes({ moved }: Standstill, now: Glance): boolean {
  const lacking = lackingIn(now);
  const awaited = now.requestsInFlight > 0 || (now.isLive && lacking.length > 0);
  return awaited && fruitless(moved, lacking) < FRUITLESS_SEGMENTS;
}

const lackingIn = ({ media }: Glance): readonly MediaGlance[] =>
  media.filter(({ aheadMs }) => aheadMs < NEXT_TO_NOTHING_MS);

function fruitless({ media }: Glance, lacking: readonly MediaGlance[]): number {
  const counts = lacking.map(({ mediaType, segments }) => {
    const before = media.find((each) => each.mediaType === mediaType)?.segments ?? 0;
    return segments - before;
  });
  return Math.max(0, ...counts);
}

/** Tolerated lack of media at the end: durations in manifests are rounded, and tracks differ by a segment. */
const TOLERATED_MS = 5000;
const TOLERATED_SHARE = 0.1;

/**
 * The sentence for a stream that ended long before its manifest says it does; null for an honest end. dash.js calls a
 * stream finished once it has loaded every segment, and cuts the duration to what the browser could make of them.
 */
export function formatShortEnd(
  endedAtMs: number,
  promisedMs: number,
  listedMs: number | null = null,
): string | null {
  const lackingMs = promisedMs - endedAtMs;
  if (!(lackingMs > TOLERATED_MS && lackingMs > promisedMs * TOLERATED_SHARE)) return null;
  const isPlayedOut = listedMs !== null && listedMs - endedAtMs < NEXT_TO_NOTHING_MS;
  const why = isPlayedOut ? 'it lists no segment after that' : 'the rest was not loaded or is not playable';
  return (
    `The stream ended at ${secondsFromMs(endedAtMs).toFixed(1)} s, but its manifest promises ` +
    `${secondsFromMs(promisedMs).toFixed(1)} s: ${why}.`
  );
}
