import { absent } from '../event.ts';
import { onEvents } from './onEvents.ts';
import type { PlayerAdapter } from './playerAdapter.ts';

/** Adapts an element whose player is not known: by the events of HTML, section "Media elements". */
export function createElementAdapter(video: HTMLMediaElement): PlayerAdapter {
  return {
    startsAlone: () => video.autoplay,
    hasBegun: !video.paused && !video.ended && video.readyState >= HAVE_FUTURE_DATA,
    seeksAlone: () => true,
    latency: () => ({ liveLatencyMs: absent('not-supported') }),
    onLoading: (act) => onEvents(video, ['loadstart'], act),
    onNextSource(act) {
      let isOff = false;
      return onEvents(video, ['emptied', 'loadstart'], ({ type }) => {
        if (type === 'loadstart' && isOff) act();
        isOff = type === 'emptied';
      });
    },
    onAppended: (act) => onEvents(video, ['progress'], act),
    onSeekAsked: null,
    dispose: () => undefined,
  };
}

/** `HTMLMediaElement.HAVE_FUTURE_DATA`. */
const HAVE_FUTURE_DATA = 3;
