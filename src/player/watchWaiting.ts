import type { MediaPlayerClass } from 'dashjs';
import type { Waiting } from './waiting.ts';

const LOOK_EVERY_MS = 1000;
/** Nothing is asked for so long before that is said. */
export const WAITING_MS = 5000;

/**
 * Says what a player waits for that has its manifest and asks for nothing: dash.js waits for a stream that has not begun, and for
 * addresses that no browser asks, for ever and without an event. Only until the first media is there. Returns the disposer.
 */
export function watchWaiting({
  player,
  video,
  requestsInFlight,
  reason,
  say,
}: {
  readonly player: Pick<MediaPlayerClass, 'on' | 'off'>;
  readonly video: Pick<HTMLVideoElement, 'buffered' | 'paused'>;
  readonly requestsInFlight: () => number;
  readonly reason: () => Waiting;
  readonly say: (waiting: Waiting) => void;
}): () => void {
  let hasManifest = false;
  let idleMs = 0;
  const onManifest = ({ data }: { data?: unknown }): void => void (hasManifest ||= Boolean(data));
  const timer = setInterval(() => {
    if (video.buffered.length > 0) return dispose();
    idleMs = hasManifest && !video.paused && requestsInFlight() === 0 ? idleMs + LOOK_EVERY_MS : 0;
    if (idleMs < WAITING_MS) return;
    dispose();
    say(reason());
  }, LOOK_EVERY_MS);
  const dispose = (): void => {
    clearInterval(timer);
    player.off('manifestLoaded', onManifest);
  };
  player.on('manifestLoaded', onManifest);
  return dispose;
}
