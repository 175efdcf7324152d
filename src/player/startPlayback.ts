import type { MediaPlayerClass } from 'dashjs';

/** Why the browser would not start; one sentence for people. */
export const NEEDS_A_CLICK = 'The browser lets media start only after a click or key press on this page.';

/**
 * Starts a video. Where the browser's autoplay policy allows only silence, it is started muted (the page shows that
 * and offers the sound). Rejects with one sentence when even that is refused.
 */
export async function startPlayback(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch (reason) {
    if (wasInterrupted(reason)) return;
    if (!isRefused(reason)) throw reason;
    if (video.muted) throw new Error(NEEDS_A_CLICK);
    video.muted = true;
    await startPlayback(video);
  }
}

/**
 * Playback is asked for before the manifest is there, so that the join time counts it. dash.js then misses the
 * element's `play` event, and without its PLAYBACK_STARTED it never refreshes a live manifest
 * (ManifestUpdater._onPlaybackStarted). This function sends the event once the stream is there.
 */
export function announceEarlyPlay(
  player: Pick<MediaPlayerClass, 'on' | 'off' | 'trigger'>,
  video: HTMLVideoElement,
): void {
  let started = false;
  const onStarted = (): void => void (started = true);
  const onStream = (): void => {
    player.off('streamInitialized', onStream);
    player.off('playbackStarted', onStarted);
    if (started || video.paused) return;
    type Trigger = Parameters<typeof player.trigger>;
    player.trigger('playbackStarted' as unknown as Trigger[0], { startTime: video.currentTime }, {});
  };
  player.on('playbackStarted', onStarted);
  player.on('streamInitialized', onStream);
}

const nameOf = (reason: unknown): string => (reason instanceof Error ? reason.name : '');
const isRefused = (reason: unknown): boolean => nameOf(reason) === 'NotAllowedError';
/** A pause or another source came in between (HTML, "AbortError"): whoever did that is in charge now. */
const wasInterrupted = (reason: unknown): boolean => nameOf(reason) === 'AbortError';
