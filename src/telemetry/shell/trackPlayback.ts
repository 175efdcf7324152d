import { absent, withReasons, type PlaybackEvent } from '../event.ts';
import {
  foldPlayback,
  NOT_STARTED,
  openDrafts,
  PLAYBACK_STATES,
  type ElementEvent,
} from '../recorder/playbackFold.ts';
import { createLiveClock } from './liveClock.ts';
import {
  firstTime,
  liveLatencyMs,
  onNextSource,
  onPlayer,
  playheadMs,
  type Surroundings,
} from './surroundings.ts';

const SAMPLE_MS = 1000;
const FOLDED: readonly string[] = ['playing', 'waiting', 'pause', 'ended', 'seeking', 'seeked'];

/** States and samples of playback, stalls and seeks, all from the video element itself. */
export function trackPlayback(around: Surroundings): () => void {
  const { video, player, clock, recording } = around;
  const interruptions = foldInterruptions(around);
  const liveClock = createLiveClock(around);
  const record = (state: PlaybackEvent['state']): void =>
    void recording.record({
      kind: 'playback',
      atMs: clock.nowMs(),
      ...withReasons({
        state,
        playheadMs: playheadMs(video),
        playbackRate: video.playbackRate,
        liveLatencyMs: liveLatencyMs(player) ?? absent('not-applicable'),
        ...liveClock.fields(),
      }),
    });
  // An element that was at an end before says nothing about this session.
  let over = video.ended;
  const onElement = ({ type }: Pick<Event, 'type'>): void => {
    if (type === 'ended' && over) return;
    over = isOver(over, type, video.ended);
    const state = PLAYBACK_STATES[type];
    if (state) record(state);
    if (FOLDED.includes(type)) interruptions.fold(type as ElementEvent['type']);
  };
  const names = [...Object.keys(PLAYBACK_STATES), 'seeking', 'seeked'];
  for (const name of names) video.addEventListener(name, onElement);
  const sampler = setInterval(() => {
    if (video.ended) onElement({ type: 'ended' });
    else if (!video.paused) record('sample');
  }, SAMPLE_MS);
  // With autoplay the page requests playback: the element starts only when there is something to play.
  const offManifest = onPlayer(player, {
    manifestLoadingStarted: firstTime(() => {
      if (player.getAutoPlay() && video.paused) record('play-requested');
    }),
  });
  const offSource = onNextSource(player, () => interruptions.fold('stop'));
  return () => {
    offSource();
    offManifest();
    liveClock.dispose();
    clearInterval(sampler);
    for (const name of names) video.removeEventListener(name, onElement);
    interruptions.end();
    record('stopped');
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

/** Runs the fold over the element's events, and keeps what lasts as open events. */
function foldInterruptions({ video, clock, recording }: Surroundings) {
  let state = NOT_STARTED;
  let beforeMs = playheadMs(video);
  let ids: { stall: string | null; seek: string | null } = { stall: null, seek: null };
  const keep = (kind: 'stall' | 'seek'): void => {
    const draft = openDrafts(state)[kind];
    if (!draft) return;
    const id = (ids[kind] ??= recording.reserveId(kind));
    recording.keepOpen(draft, id);
  };
  const fold = (type: ElementEvent['type']): void => {
    const event = {
      type,
      atMs: clock.nowMs(),
      playheadMs: playheadMs(video),
      beforeMs,
      paused: video.paused,
    };
    const step = foldPlayback(state, event);
    state = step.state;
    // A seek that follows before playing goes on starts from here.
    if (type === 'seeking') beforeMs = event.playheadMs;
    for (const draft of step.ended) {
      recording.record(draft, ids[draft.kind] ?? undefined);
      ids = { ...ids, [draft.kind]: null };
    }
    keep('stall');
    keep('seek');
  };
  const onTime = (): void => {
    if (!video.seeking) beforeMs = playheadMs(video);
  };
  video.addEventListener('timeupdate', onTime);
  return {
    fold,
    end() {
      video.removeEventListener('timeupdate', onTime);
      fold('stop');
    },
  };
}

const EVERY_MS = 1000;

/** Decoded and dropped frames, once a second while they change. Counted from the element's start, as it counts. */
export function trackFrames({ video, clock, recording }: Surroundings): () => void {
  let decodedBefore = 0;
  const sample = (): void => {
    // An audio element has none.
    if (!('getVideoPlaybackQuality' in video)) return;
    const quality = (video as HTMLVideoElement).getVideoPlaybackQuality();
    const { totalVideoFrames: decoded, droppedVideoFrames: dropped } = quality;
    if (decoded === decodedBefore) return;
    decodedBefore = decoded;
    recording.record({ kind: 'frames', atMs: clock.nowMs(), decoded, dropped, missing: {} });
  };
  const timer = setInterval(sample, EVERY_MS);
  return () => {
    clearInterval(timer);
    sample();
  };
}

/** When the tab is hidden: browsers then slow timers and stop drawing frames. Visible is where a session starts. */
export function trackVisibility({ clock, recording }: Surroundings): () => void {
  let hiddenBefore = false;
  const onChange = (): void => {
    const hidden = document.visibilityState === 'hidden';
    if (hidden === hiddenBefore) return;
    hiddenBefore = hidden;
    recording.record({ kind: 'visibility', atMs: clock.nowMs(), hidden, missing: {} });
  };
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
