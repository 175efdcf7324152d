import type { MediaInfo, MediaPlayerClass, TextTrackInfo } from 'dashjs';
import { msFromSeconds, secondsFromMs } from '../shared/units.ts';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import type { Fatal } from './failures/watchFailures.ts';
import type { Player, Track } from './player.ts';
import { streamProcessors } from './streamProcessors.ts';

type Controls = Pick<
  Player,
  'play' | 'pause' | 'seek' | 'positionMs' | 'durationMs' | 'isLive' | 'seekToLive'
>;

/** What a viewer does. All are harmless before the stream is there and after it has ended. */
export function controlsOf(
  player: MediaPlayerClass,
  video: HTMLVideoElement,
  { onFatal, expectSeek }: Pick<Fatal, 'onFatal'> & Pick<Telemetry, 'expectSeek'>,
): Controls {
  const isLive = (): boolean => player.isReady() && hasStream(player) && player.isDynamic();
  const positionMs = (): number => msFromSeconds(isLive() ? player.timeInDvrWindow() : video.currentTime);
  const untilFatal = new Promise<void>((resolve) => onFatal(() => resolve()));
  const expectPlace = repeatLostSeek(player, video, positionMs);
  return {
    // Without a source the element's promise stays open for ever; `onFatal` reports the failure itself.
    play: () => Promise.race([startPlayback(video), untilFatal]),
    pause: () => video.pause(),
    seek(toMs) {
      if (!player.isReady()) return;
      expectSeek('viewer');
      forgetSeeksBefore(player);
      player.seek(secondsFromMs(toMs));
      // In a live stream dash.js goes to another place itself, and the window moves.
      expectPlace(isLive() ? null : toMs);
    },
    positionMs,
    durationMs() {
      // dash.js says NaN before it knows, and 0 for a live stream without a window to seek in.
      const durationMs = msFromSeconds(isLive() ? player.duration() : video.duration);
      return Number.isFinite(durationMs) && durationMs > 0 ? durationMs : null;
    },
    isLive,
    seekToLive() {
      if (!isLive()) return;
      expectSeek('viewer');
      player.seekToOriginalLive();
      expectPlace(null);
    },
  };
}

/**
 * dash.js remembers for each media type where its media is to come from, and goes there when it has come
 * (BufferController._adjustSeekTarget). A seek into loaded media leaves the place of the seek before in it, and then playback
 * went back there up to 10 s later.
 */
function forgetSeeksBefore(player: MediaPlayerClass): void {
  for (const processor of streamProcessors(player)) processor.getBufferController().setSeekTarget(NaN);
}

/** ms. What dash.js may by itself change of a seek is less (`seekDurationBackoff`, 500 ms). */
const NEAR_MS = 1000;
/** ms. A switch of periods that began later is not that of a seek. */
const RECENT_MS = 5000;

/**
 * Repeats a seek that dash.js takes back once a switch of periods is complete (StreamController._activateStream): one made during the
 * switch for the seek before, and one made before that switch began, while buffers were emptied for it (_handleOuterPeriodSeek).
 * Returns what is to be called after each seek, with its place in ms; null: unknown.
 */
function repeatLostSeek(
  player: Pick<MediaPlayerClass, 'on' | 'seek'>,
  video: Pick<HTMLVideoElement, 'seeking'>,
  positionMs: () => number,
): (toMs: number | null) => void {
  let expectedMs: number | null = null;
  let overtakenMs: number | null = null;
  let seekedMs = -Infinity;
  player.on('playbackPlaying', () => void (expectedMs = null));
  player.on('periodSwitchStarted', ({ toStreamInfo }) => {
    const { start = NaN, duration = NaN } = toStreamInfo ?? {};
    const awayMs = Math.max(
      msFromSeconds(start) - positionMs(),
      positionMs() - msFromSeconds(start + duration),
    );
    overtakenMs = awayMs > NEAR_MS && performance.now() - seekedMs < RECENT_MS ? positionMs() : null;
  });
  player.on('periodSwitchCompleted', () => {
    // A switch without a seek, where a period was played to its end, takes nothing back.
    const toMs = overtakenMs ?? (video.seeking ? expectedMs : null);
    overtakenMs = expectedMs = null;
    if (toMs === null || Math.abs(positionMs() - toMs) < NEAR_MS) return;
    // Not to the very place: dash.js may think that it is there (PlaybackController.seek, seekTarget).
    player.seek(secondsFromMs(toMs + 1));
  });
  return (toMs) => {
    expectedMs = toMs;
    seekedMs = toMs === null ? -Infinity : performance.now();
  };
}

const hasStream = (player: MediaPlayerClass): boolean => player.getActiveStream() !== null;

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

/** Audio and text tracks of the period that plays, by ids that are stable within it. */
interface Tracks {
  audio(): readonly Track[];
  text(): readonly Track[];
  useAudio(id: string): void;
  useText(id: string | null): void;
  dispose(): void;
}

export function createTracks(player: MediaPlayerClass): Tracks {
  let texts: readonly TextTrackInfo[] = [];
  const onTexts = ({ tracks }: { tracks?: readonly TextTrackInfo[] }): void => void (texts = tracks ?? []);
  player.on('allTextTracksAdded', onTexts);
  const audioInfos = (): MediaInfo[] => (player.isReady() ? player.getTracksFor('audio') : []);
  return {
    audio() {
      const current = player.isReady() ? player.getCurrentTrackFor('audio') : null;
      return audioInfos().map((info, index) => trackOf(info, index, info.index === current?.index));
    },
    text() {
      const current = player.isReady() ? player.getCurrentTextTrackIndex() : -1;
      return texts.map((info, index) => trackOf(info, index, index === current));
    },
    useAudio(id) {
      const index = Number(id);
      const info = audioInfos()[index];
      if (!info) throw new Error(`no audio track "${id}"`);
      player.setCurrentTrack(info);
    },
    useText(id) {
      if (id !== null && !texts[Number(id)]) throw new Error(`no text track "${id}"`);
      player.setTextTrack(id === null ? -1 : Number(id));
    },
    dispose: () => player.off('allTextTracksAdded', onTexts),
  };
}

/** Names a track by its label, else by language and role, else by number. Strings are the MPD's: show as text. */
export function trackOf(
  info: {
    readonly lang?: string | null;
    readonly labels?: readonly { readonly text?: string }[] | null;
    readonly roles?: readonly { readonly value?: string | null }[] | null;
  },
  index: number,
  current: boolean,
): Track {
  const language = info.lang && info.lang !== 'und' ? info.lang : null;
  const label = info.labels?.find(({ text }) => text)?.text;
  const role = info.roles?.find(({ value }) => value && value !== 'main')?.value;
  const described = [language, role].filter(Boolean).join(', ');
  return { id: String(index), label: label ?? (described || `Track ${index + 1}`), language, current };
}
