import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import { msFromSeconds } from '../shared/units.ts';
import { bufferMsOf } from './dashMoment.ts';
import { formatShortEnd } from './shortEnd.ts';
import { formatStandstill, watched, type Glance, type Standstill } from './standstill.ts';
import { streamProcessors } from './streamProcessors.ts';

const LOOK_EVERY_MS = 1000;

interface Watching {
  readonly player: MediaPlayerClass;
  readonly video: HTMLVideoElement;
  readonly requestsInFlight: () => number;
  /** A failure is known and something is being done about it. */
  readonly isRecovering: () => boolean;
  readonly fail: (message: string) => void;
}

/**
 * Ends playback that stands still, or ends early, without any error: the browser's parser swallows whole files that
 * are well-formed boxes without media, and dash.js takes what it could append for played. Returns the disposer.
 */
export function watchStandstill(watching: Watching): () => void {
  const { player, video, fail } = watching;
  const segments = { video: 0, audio: 0 };
  const onLoaded = ({ request, error }: { request?: FragmentRequest; error?: unknown }): void => {
    const mediaType = request?.mediaType;
    if (error || request?.type !== 'MediaSegment') return;
    if (mediaType === 'video' || mediaType === 'audio') segments[mediaType] += 1;
  };
  const onEnded = (): void => {
    const sentence = formatShortEnd(msFromSeconds(video.currentTime), promisedMs(player));
    if (sentence !== null) fail(sentence);
  };
  let standstill: Standstill | null = null;
  const timer = setInterval(() => {
    if (!player.isReady() || player.getActiveStream() === null) return;
    standstill = watched(standstill, glanceAt(watching, segments));
    const sentence = formatStandstill(standstill);
    if (sentence !== null) fail(sentence);
  }, LOOK_EVERY_MS);
  player.on('fragmentLoadingCompleted', onLoaded);
  video.addEventListener('ended', onEnded);
  return () => {
    clearInterval(timer);
    player.off('fragmentLoadingCompleted', onLoaded);
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
    shouldPlay: isMeantToMove(video) && !document.hidden && !isRecovering(),
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

const isMeantToMove = ({ paused, ended, playbackRate }: HTMLVideoElement): boolean =>
  !paused && !ended && playbackRate > 0;

const rangesOf = (ranges: TimeRanges): string =>
  Array.from({ length: ranges.length }, (_, index) => `${ranges.start(index)}-${ranges.end(index)}`).join();

/** Of the whole presentation by the manifest; NaN where it has no end. The element's duration was cut by dash.js. */
function promisedMs(player: MediaPlayerClass): number {
  if (!player.isReady() || player.getActiveStream() === null || player.isDynamic()) return NaN;
  return msFromSeconds(player.getActiveStream()?.getStreamInfo()?.manifestInfo.duration ?? NaN);
}
