import type { MediaPlayerClass } from 'dashjs';
import { guarded } from './onEvents.ts';
import type { PlayerAdapter } from './playerAdapter.ts';
import type { Recording } from './recording.ts';
import type { SessionClock } from './sessionHeader.ts';

/** What a tracker (track*.ts) of an element gets, whatever plays in it; it returns its disposer. */
export interface ElementSurroundings {
  readonly video: HTMLMediaElement;
  readonly clock: SessionClock;
  readonly recording: Pick<Recording, 'record' | 'reserveId' | 'keepOpen' | 'drop'>;
  readonly keepQueryValues: boolean;
}

/** What a tracker of playback gets. */
export interface PlaybackSurroundings extends ElementSurroundings {
  readonly adapter: PlayerAdapter;
}

/** What a tracker of dash.js gets. */
export interface Surroundings extends ElementSurroundings {
  readonly player: MediaPlayerClass;
  readonly pathwayOf?: ((url: string) => string | null) | undefined;
}

/** Listens to player events by name (MediaPlayerEvents.js). Returns the disposer. */
export function onPlayer<Payload>(
  player: MediaPlayerClass,
  listeners: Readonly<Record<string, (payload: Payload) => void>>,
): () => void {
  const guards = Object.entries(listeners).map(([name, listener]) => [name, guarded(listener)] as const);
  for (const [name, guard] of guards) player.on(name, guard as never);
  return () => {
    for (const [name, guard] of guards) player.off(name, guard as never);
  };
}

/** Acts when dash.js loads the manifest of another source: it has taken a stream off before, which an error can make it do, too. */
export function onNextSource(player: MediaPlayerClass, act: () => void): () => void {
  let isOff = false;
  return onPlayer(player, {
    streamTeardownComplete: () => void (isOff = true),
    manifestLoadingStarted() {
      if (isOff) act();
      isOff = false;
    },
  });
}

/** Acts at the first call only. */
export function firstTime(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/**
 * ms behind the live edge; null for VoD, while a seek goes on, and before playback has its place: until the element is moved there
 * dash.js answers 0, or the latency of where it will go (VideoModel.getTime). Throws nothing before `initialize`.
 */
export function liveLatencyMs(player: MediaPlayerClass): number | null {
  const seconds = player.isReady() ? player.getCurrentLiveLatency() : NaN;
  return seconds > 0 && !player.isSeeking() ? Math.round(seconds * 1000) : null;
}

/** Returns the playhead of the element, in ms rounded to µs: its seconds are sums of floats. */
export function playheadMs({ currentTime }: HTMLMediaElement): number {
  return Math.round(currentTime * 1e6) / 1000;
}
