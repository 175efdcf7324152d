import type { MediaPlayerClass } from 'dashjs';
import { absent } from '../event.ts';
import { createLiveClock } from './liveClock.ts';
import type { PlayerAdapter } from './playerAdapter.ts';
import { liveLatencyMs, onNextSource, onPlayer } from './surroundings.ts';

/** Adapts a dash.js player. It announces a seek that was asked for, and some of its own (`watchSeeks`). */
export function createDashAdapter(player: MediaPlayerClass): PlayerAdapter {
  const liveClock = createLiveClock({ player });
  return {
    startsAlone: () => player.getAutoPlay(),
    // In a live stream it seeks to its target latency and into its window.
    seeksAlone: () => player.isReady() && player.isDynamic(),
    latency() {
      const error = liveClock.fields();
      const why = absent('liveLatencyErrorMs' in error ? 'too-early' : 'not-applicable');
      return { liveLatencyMs: liveLatencyMs(player) ?? why, ...error };
    },
    onLoading: (act) => onPlayer(player, { manifestLoadingStarted: act }),
    onNextSource: (act) => onNextSource(player, act),
    onAppended: (act) => onPlayer(player, { bytesAppendedEndFragment: act }),
    onSeekAsked: (act) => onPlayer(player, { playbackSeeking: act }),
    dispose: liveClock.dispose,
  };
}
