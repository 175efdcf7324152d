import type { MediaPlayerClass } from 'dashjs';
import type { LiveMoment, MediaType, Rule } from '../../abr/rule.ts';
import { msFromSeconds } from '../../shared/units.ts';

/** Sets the playback rate of live streams for a rule that chooses it; dash.js' own catch-up is off meanwhile. */
export interface LiveRate {
  use(rule: Rule | null): void;
  /** Returns what the rule chooses by; null where it sets no rate: on demand, and for audio, which plays with the video. */
  momentFor(mediaType: MediaType): LiveMoment | null;
  /** Plays at a rate; undefined: the rate stays as it is. */
  play(rate: number | undefined): void;
  dispose(): void;
}

/**
 * Limits where the stream names none. Ours: a viewer 1 s behind the target reaches it in 10 s. dash.js goes to 0.5 and 1.5 there
 * (MediaPlayerModel), and large changes are easy to hear. Where the stream names limits, all rules have the same.
 */
const MIN_RATE = 0.9;
const MAX_RATE = 1.1;

/** How far behind the target a viewer may be before a seek, where the stream does not say it (dash.js, MediaPlayerModel). */
const MAX_DRIFT_MS = 12_000;
/** What dash.js adds to the largest latency that the stream names, ms (ServiceDescriptionController). */
const DRIFT_MARGIN_MS = 500;

/** Smallest step of the rate: smaller ones are not worth an event of the element. */
const MIN_STEP = 0.002;

type Live = Pick<
  MediaPlayerClass,
  | 'on'
  | 'off'
  | 'isDynamic'
  | 'isSeeking'
  | 'getManifest'
  | 'getTargetLiveDelay'
  | 'getCurrentLiveLatency'
  | 'getVideoElement'
  | 'seekToOriginalLive'
>;

export function createLiveRate(player: Live): LiveRate {
  let inCharge = false;
  // As dash.js' catch-up does: who is too far behind skips to the target.
  const onTime = (): void => {
    if (inCharge && player.isDynamic() && !player.isSeeking() && isTooFar(player))
      player.seekToOriginalLive();
  };
  player.on('playbackTimeUpdated', onTime);
  return {
    use: (rule) => void (inCharge = rule?.setsPlaybackRate === true),
    momentFor: (mediaType) =>
      inCharge && mediaType === 'video' && player.isDynamic() ? liveMomentOf(player) : null,
    play(rate) {
      const video = player.getVideoElement();
      // 0: dash.js keeps the picture still until there is media, and then takes the rate from before (VideoModel).
      if (rate === undefined || video.playbackRate === 0) return;
      if (Math.abs(video.playbackRate - rate) >= MIN_STEP) video.playbackRate = rate;
    },
    dispose: () => player.off('playbackTimeUpdated', onTime),
  };
}

function liveMomentOf(player: Live): LiveMoment {
  const { PlaybackRate } = serviceOf(player);
  const targetMs = msFromSeconds(player.getTargetLiveDelay());
  return {
    targetMs: Number.isFinite(targetMs) ? targetMs : null,
    minRate: Math.min(1, numberIn(PlaybackRate?.min) ?? MIN_RATE),
    maxRate: Math.max(1, numberIn(PlaybackRate?.max) ?? MAX_RATE),
  };
}

function isTooFar(player: Live): boolean {
  const { Latency } = serviceOf(player);
  const [target, max] = [numberIn(Latency?.target), numberIn(Latency?.max)];
  const maxDriftMs =
    target !== null && max !== null && max > target ? max - target + DRIFT_MARGIN_MS : MAX_DRIFT_MS;
  return msFromSeconds(player.getCurrentLiveLatency() - player.getTargetLiveDelay()) > maxDriftMs;
}

/** ServiceDescription of a manifest as dash.js parses it; of several, dash.js takes the last. Latencies in ms. */
interface ServiceDescription {
  readonly Latency?: { readonly target?: unknown; readonly max?: unknown };
  readonly PlaybackRate?: { readonly min?: unknown; readonly max?: unknown };
}

function serviceOf(player: Live): ServiceDescription {
  const manifest = player.getManifest() as { ServiceDescription?: readonly ServiceDescription[] } | null;
  return manifest?.ServiceDescription?.at(-1) ?? {};
}

/** What a manifest says may be anything. */
function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' ? parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}
