import type { MediaPlayerClass } from 'dashjs';
import type { Fatal } from './fatal.ts';
import type { Player } from './player.ts';
import { startPlayback } from './startPlayback.ts';
import { msFromSeconds, secondsFromMs } from '../shared/units.ts';

type Controls = Pick<
  Player,
  'play' | 'pause' | 'seek' | 'positionMs' | 'durationMs' | 'isLive' | 'seekToLive'
>;

/** What a viewer does. All are harmless before the stream is there and after it has ended. */
export function controlsOf(
  player: MediaPlayerClass,
  video: HTMLVideoElement,
  fatal: Pick<Fatal, 'onFatal'>,
): Controls {
  const isLive = (): boolean => player.isReady() && hasStream(player) && player.isDynamic();
  const untilFatal = new Promise<void>((resolve) => fatal.onFatal(() => resolve()));
  return {
    // Without a source the element's promise stays open for ever; `onFatal` reports the failure itself.
    play: () => Promise.race([startPlayback(video), untilFatal]),
    pause: () => video.pause(),
    seek(positionMs) {
      if (player.isReady()) player.seek(secondsFromMs(positionMs));
    },
    positionMs: () => msFromSeconds(isLive() ? player.timeInDvrWindow() : video.currentTime),
    durationMs() {
      // dash.js says NaN before it knows, and 0 for a live stream without a window to seek in.
      const durationMs = msFromSeconds(isLive() ? player.duration() : video.duration);
      return Number.isFinite(durationMs) && durationMs > 0 ? durationMs : null;
    },
    isLive,
    seekToLive() {
      if (isLive()) player.seekToOriginalLive();
    },
  };
}

const hasStream = (player: MediaPlayerClass): boolean => player.getActiveStream() !== null;
