import type { MediaPlayerClass } from 'dashjs';
import type { Recording } from './recording.ts';
import type { SessionClock } from './sessionHeader.ts';

/** What each tracker (track*.ts) gets; it returns its disposer. */
export interface Surroundings {
  readonly player: MediaPlayerClass;
  readonly video: HTMLVideoElement;
  readonly clock: SessionClock;
  readonly recording: Pick<Recording, 'record' | 'reserveId' | 'keepOpen' | 'drop'>;
  readonly keepQueryValues: boolean;
  readonly pathwayOf?: ((url: string) => string | null) | undefined;
}

/** Listens to player events by name (MediaPlayerEvents.js). Returns the disposer. */
export function onPlayer<Payload>(
  player: MediaPlayerClass,
  listeners: Readonly<Record<string, (payload: Payload) => void>>,
): () => void {
  for (const [name, listener] of Object.entries(listeners)) player.on(name, listener as never);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) player.off(name, listener as never);
  };
}

/** Acts at the first call only. */
export function firstTime(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** ms behind the live edge; null for VoD and before dash.js knows. Throws nothing before `initialize`. */
export function liveLatencyMs(player: MediaPlayerClass): number | null {
  const seconds = player.isReady() ? player.getCurrentLiveLatency() : NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) : null;
}

/** Of the element, rounded to µs: its seconds are sums of floats. */
export function playheadMs({ currentTime }: HTMLVideoElement): number {
  return Math.round(currentTime * 1e6) / 1000;
}
