import type { MediaPlayerClass } from 'dashjs';
import { streamProcessors, type DashStream, type PlaybackController } from './streamProcessors.ts';

/** ms. The element's own `ended` comes within some milliseconds, on a machine that is busy within tenths of a second. */
export const GRACE_MS = 1000;
/** Above EVENT_PRIORITY_HIGH of core/EventBus.js, with which PlaybackController listens. */
const FIRST = { priority: 5001 };

/** What dash.js tells itself at the end; `seekTime` is where PlaybackController puts the playhead then. */
interface PlaybackEnded {
  isLast?: boolean;
  seekTime?: number;
}

/**
 * Lets playback end by the element's own `ended`. dash.js looks five times a second whether the end is reached
 * (StreamController, PLAYBACK_ENDED_TIMER_INTERVAL). A look that falls between the last frame and the event makes
 * PlaybackController pause and seek to the period's end; where the media is shorter, be it by the microsecond that
 * `endOfStream` takes off, it never gets there: the seek starts the next look, without end, and `ended` does not come.
 * So dash.js learns of the end once the element had time to report it, and moves nothing then. Returns the disposer.
 */
export function letElementEnd(
  player: Pick<MediaPlayerClass, 'on' | 'off'>,
  video: Pick<HTMLVideoElement, 'currentTime' | 'addEventListener' | 'removeEventListener'>,
): () => void {
  let said = false;
  let foundMs: number | null = null;
  const onElement: Readonly<Record<string, () => void>> = {
    ended: () => void (said = true),
    playing: forget,
    seeking: forget,
  };
  const onEnded = (found: PlaybackEnded): void => {
    if (!found.isLast) return;
    foundMs ??= performance.now();
    if (said || performance.now() - foundMs >= GRACE_MS) found.seekTime = video.currentTime;
    else found.isLast = false;
  };
  function forget(): void {
    said = false;
    foundMs = null;
  }
  for (const [type, listener] of Object.entries(onElement)) video.addEventListener(type, listener);
  (player.on as unknown as Listen)('playbackEnded', onEnded, null, FIRST);
  return () => {
    for (const [type, listener] of Object.entries(onElement)) video.removeEventListener(type, listener);
    player.off('playbackEnded', onEnded);
  };
}

/** dash.js' types leave the options out (MediaPlayer.on hands them on to its event bus). */
type Listen = (type: string, listener: (found: PlaybackEnded) => void, scope: null, options: object) => void;

/**
 * After a decode error dash.js gives the element a new MediaSource (StreamController._handleMediaErrorDecode) and leaves
 * it paused, because loading a source pauses an element without a `pause` event (HTML, media element load algorithm).
 * Whoever was watching goes on watching. Returns the disposer.
 */
export function resumeAfterReset(video: HTMLVideoElement): () => void {
  let wantsToPlay = false;
  const listeners: Record<string, () => void> = {
    play: () => void (wantsToPlay = true),
    pause: () => void (wantsToPlay = false),
    ended: () => void (wantsToPlay = false),
    canplay() {
      // Refused play (the autoplay policy) was allowed before, and an interruption is somebody else's will.
      if (wantsToPlay && video.paused) video.play().catch(() => undefined);
    },
  };
  for (const [type, listener] of Object.entries(listeners)) video.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) video.removeEventListener(type, listener);
  };
}

type Playhead = Pick<HTMLVideoElement, 'seeking' | 'currentTime'>;

/**
 * Keeps seeks and loading ahead apart in streams of several periods. dash.js 5.2.1 mixes them up in two ways:
 * - A seek calls the period that it leaves loaded to its end (BufferController._checkIfBufferingCompleted: the playhead is behind
 *   it). So the next one is loaded ahead amid the switch to it (StreamController._activateStream), from its beginning.
 * - A period that plays but counts as loaded ahead is put away at the next seek, for good (_deactivateAllPreloadingStreams).
 */
export function keepSeeksApart(player: MediaPlayerClass, video: Playhead): void {
  const known = new WeakSet<object>();
  const isNew = (one: object): boolean => !known.has(one) && known.add(one) === known;
  const amend = (): void => {
    const controller = streamProcessors(player)[0]?.getScheduleController().getPlaybackController();
    if (!controller) return;
    if (isNew(controller)) leaveUnloaded(controller, video);
    for (const each of controller.getStreamController().getStreams())
      if (isNew(each)) letPlay(each, player, video);
  };
  for (const type of ['streamInitialized', 'streamsComposed']) player.on(type as 'streamInitialized', amend);
}

/** A period that a seek left is not loaded to its end, however far the playhead is behind it. */
function leaveUnloaded(controller: PlaybackController, video: Playhead): void {
  const shipped = controller.getTimeToStreamEnd;
  controller.getTimeToStreamEnd = (streamInfo) => {
    const restS = shipped(streamInfo);
    return restS < 0 && video.seeking ? Infinity : restS;
  };
}

/** A period that plays once its loading ahead has begun is loaded from the playhead; without an answer it is none that is ahead. */
function letPlay(stream: DashStream, player: MediaPlayerClass, video: Playhead): void {
  const shipped = stream.startPreloading;
  stream.startPreloading = async (...args) => {
    await shipped(...args);
    if (!player.isReady() || (player.getActiveStream() as unknown) !== stream) return;
    for (const processor of streamProcessors(player)) processor.setExplicitBufferingTime(video.currentTime);
    await new Promise(() => undefined);
  };
}
