import { withReasons, type PlaybackEvent } from '../event.ts';
import { guarded, onEvents } from './onEvents.ts';
import {
  firstTime,
  playheadMs,
  type ElementSurroundings,
  type PlaybackSurroundings,
} from './surroundings.ts';
import { trackScreen, type ScreenTracking } from './trackScreen.ts';

const SAMPLE_MS = 1000;

/** The element's events that are states of playback in the log. */
const STATES: Readonly<Record<string, PlaybackEvent['state']>> = {
  play: 'play-requested',
  playing: 'playing',
  waiting: 'waiting',
  pause: 'paused',
  ended: 'ended',
  ratechange: 'rate',
};

/** States and samples of playback, and what the screen shows. */
export function trackPlayback(around: PlaybackSurroundings): ScreenTracking {
  const { video, adapter, clock, recording } = around;
  const record = (state: PlaybackEvent['state'], atMs = clock.nowMs()): void => {
    recording.record({
      kind: 'playback',
      atMs,
      ...withReasons({
        state,
        playheadMs: playheadMs(video),
        playbackRate: video.playbackRate,
        ...adapter.latency(),
      }),
    });
  };
  // An element that was at an end before says nothing about this session.
  let over = video.ended;
  const onElement = ({ type }: Pick<Event, 'type'>): void => {
    if (type === 'ended' && over) return;
    over = isOver(over, type, video.ended);
    const state = STATES[type];
    if (state) record(state);
  };
  const names = [...Object.keys(STATES), 'seeked'];
  const offVideo = onEvents(video, names, onElement);
  const screen = trackScreen(around, (atMs) => record('first-frame', atMs));
  if (adapter.hasBegun) record('playing');
  const sampleFrames = createFrameSampler(around);
  const sample = (): void => {
    sampleFrames();
    if (!video.ended) return video.paused ? undefined : record('sample');
    if (!over) screen.end();
    onElement({ type: 'ended' });
  };
  const sampler = setInterval(guarded(sample), SAMPLE_MS);
  // With autoplay the page requests playback: the element starts only when there is something to play.
  const offLoading = adapter.onLoading(
    firstTime(() => {
      if (adapter.startsAlone() && video.paused) record('play-requested');
    }),
  );
  return {
    ...screen,
    dispose() {
      offLoading();
      adapter.dispose();
      clearInterval(sampler);
      offVideo();
      screen.dispose();
      sampleFrames();
      record('stopped');
    },
  };
}

/**
 * Whether the end is in the log already. An element may be at its end without the event: dash.js seeks there when it
 * finds the end before the browser does (StreamController's timer), and the event of the first end is gone with that.
 */
function isOver(before: boolean, type: string, ended: boolean): boolean {
  if (type === 'ended') return true;
  return before && type !== 'playing' && (type !== 'seeked' || ended);
}

/** Decoded and dropped frames, when they have changed. Counted from the element's start, as it counts. */
function createFrameSampler({ video, clock, recording }: ElementSurroundings): () => void {
  let decodedBefore = 0;
  return () => {
    // An audio element has none.
    if (!('getVideoPlaybackQuality' in video)) return;
    const quality = (video as HTMLVideoElement).getVideoPlaybackQuality();
    const { totalVideoFrames: decoded, droppedVideoFrames: dropped } = quality;
    if (decoded === decodedBefore) return;
    decodedBefore = decoded;
    recording.record({ kind: 'frames', atMs: clock.nowMs(), decoded, dropped, missing: {} });
  };
}

/** When the tab is hidden: browsers then slow timers and stop drawing frames. Visible is where a session starts. */
export function trackVisibility({ clock, recording }: ElementSurroundings): () => void {
  let hiddenBefore = false;
  const onChange = (): void => {
    const hidden = document.visibilityState === 'hidden';
    if (hidden === hiddenBefore) return;
    hiddenBefore = hidden;
    recording.record({ kind: 'visibility', atMs: clock.nowMs(), hidden, missing: {} });
  };
  onChange();
  return onEvents(document, ['visibilitychange'], onChange);
}
