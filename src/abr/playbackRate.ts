import type { LiveMoment } from './rule.ts';

/** What is known of the next segment of a live stream when its playback rate is chosen. */
export interface LiveForecast {
  readonly live: LiveMoment;
  /** null: not known. */
  readonly latencyMs: number | null;
  readonly bufferMs: number;
  readonly segmentMs: number;
  /** How long the next segment takes to come, by an estimate that is seldom too short. */
  readonly downloadMs: number;
}

interface RateChoice {
  readonly rate: number;
  /** What decided: how far the latency is from its target, or that the buffer would run short; null: the rate is 1 for lack of both. */
  readonly decidedBy: 'target' | 'buffer' | null;
  /** What follows from it when the next segment is there. */
  readonly bufferAfterMs: number;
  readonly latencyAfterMs: number | null;
}

/** Media to be left when the next segment is there: what LoL+ keeps (dash.js, liveCatchup.playbackBufferMin). */
const MARGIN_MS = 500;
/** Share of the target by which a latency may be off before the rate leaves 1: as with LoL+ (dash.js, CatchupController). */
const NEAR_SHARE = 0.02;

/**
 * Chooses the playback rate r for the time H until the next decision, by a model of that time: H is the download time of
 * the next segment, or its length D if that is longer, because a live stream is made no faster. In H the latency L becomes
 * L + (1 − r) H, and the buffer B becomes B + D − r H. The rate is the one that brings the latency to its target, unless less
 * than a margin of media would be left: then it is the one that leaves the margin. Both within the limits of the moment.
 * Ours; LoL+ takes the same two aims, by the present buffer instead of the expected one (Bentaleb et al., IEEE Trans.
 * Multimedia 24, 2022).
 */
export function choosePlaybackRate(forecast: LiveForecast): RateChoice {
  const { live, latencyMs, bufferMs, segmentMs, downloadMs } = forecast;
  const horizonMs = Math.max(downloadMs, segmentMs);
  const wanted = rateToTarget(forecast, horizonMs);
  const safe = horizonMs > 0 ? (bufferMs + segmentMs - MARGIN_MS) / horizonMs : 1;
  const [toTarget, toMargin] = [within(live, wanted), within(live, safe)];
  const rate = Math.min(toTarget, toMargin);
  return {
    rate,
    decidedBy: decidedBy(toTarget, toMargin),
    bufferAfterMs: Math.max(0, bufferMs + segmentMs - rate * horizonMs),
    latencyAfterMs: latencyMs === null ? null : latencyMs + (1 - rate) * horizonMs,
  };
}

function decidedBy(toTarget: number, toMargin: number): RateChoice['decidedBy'] {
  if (toMargin < toTarget) return 'buffer';
  return toTarget === 1 ? null : 'target';
}

function rateToTarget({ live: { targetMs }, latencyMs }: LiveForecast, horizonMs: number): number {
  if (targetMs === null || latencyMs === null || !(horizonMs > 0)) return 1;
  const behindMs = latencyMs - targetMs;
  return Math.abs(behindMs) <= NEAR_SHARE * targetMs ? 1 : 1 + behindMs / horizonMs;
}

/** Steps of a thousandth: a browser's clock of playback has no finer ones that matter. */
function within({ minRate, maxRate }: LiveMoment, rate: number): number {
  return Math.min(maxRate, Math.max(minRate, Math.round(rate * 1000) / 1000));
}

/** Why, in one sentence. */
export function formatPlaybackRate(
  { rate, decidedBy: by }: RateChoice,
  { live, latencyMs, bufferMs, downloadMs }: LiveForecast,
): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  if (by === 'buffer')
    return `The playback rate is ${rate}: the next segment may take ${seconds(downloadMs)}, and ${seconds(bufferMs)} are buffered.`;
  if (by === null || latencyMs === null || live.targetMs === null) return `The playback rate is ${rate}.`;
  return `The playback rate is ${rate}: the latency is ${seconds(latencyMs)}, its target ${seconds(live.targetMs)}.`;
}
