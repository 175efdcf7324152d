import { transferMs } from '../../shared/units.ts';
import type { DownloadEvent } from '../rule.ts';
import { emptyWindow, harmonicMean, lastFew, withRate, type RateWindow } from './harmonicMean.ts';

/**
 * Predicts the time of a download in two parts: until the first byte, which does not depend on the size, and for the body,
 * which does. A rate over both is too low for larger segments than those that were measured, and too high for smaller ones;
 * the more of the time is latency, the more so. Mondal and Chakraborty, IEEE Networking Letters 2020, §V-C, name this
 * mismatch as what misleads rules over QUIC, and leave the answer open.
 *
 *     T(bytes) = mean latency + bytes / harmonic mean of the rates of bodies
 */
export interface LatencyAndRate {
  /** Rates of the latest bodies, each from its first to its last byte. */
  readonly rates: RateWindow;
  /** Times from the request to the first byte, over connections that were open, in ms, oldest first. */
  readonly latenciesMs: readonly number[];
  /** The latest time from the request to the first byte that began with a handshake, in ms; counts while no other is known. */
  readonly firstLatencyMs: number | null;
  /** |time − predicted time| / predicted time of the last downloads, oldest first; 0 for the first one. 0.25 is 25 %. */
  readonly errors: readonly number[];
}

/** Prediction for the next download: its latency, and the rate at which its bytes come. */
export interface LatencyAndRatePrediction {
  readonly latencyMs: number;
  readonly rateKbps: number;
}

/** Returns an estimate without a download, for the last `size` downloads. Throws unless `size` is a whole number ≥ 1. */
export const emptyLatencyAndRate = (size: number): LatencyAndRate => ({
  rates: emptyWindow(size),
  latenciesMs: [],
  firstLatencyMs: null,
  errors: [],
});

/** Predicts the next download; null before the first download. */
export function predictedOf(estimate: LatencyAndRate): LatencyAndRatePrediction | null {
  const rateKbps = harmonicMean(estimate.rates);
  if (rateKbps === null) return null;
  const { latenciesMs, firstLatencyMs } = estimate;
  const sumMs = latenciesMs.reduce((sum, each) => sum + each, 0);
  return {
    latencyMs: latenciesMs.length > 0 ? sumMs / latenciesMs.length : (firstLatencyMs ?? 0),
    rateKbps,
  };
}

/**
 * The estimate after one more download. One that was abandoned, took no time or brought nothing is left out. Where the first
 * byte is unknown (no Timing-Allow-Origin), all of the time counts as the body's.
 */
export function withTimed(estimate: LatencyAndRate, download: DownloadEvent): LatencyAndRate {
  const { startMs, lastByteMs, sizeBytes } = download;
  const tookMs = lastByteMs - startMs;
  if (download.aborted || !(tookMs > 0) || !(sizeBytes > 0)) return estimate;
  const bodyMs = Math.max(lastByteMs - (download.firstByteMs ?? startMs), Math.min(tookMs, MIN_BODY_MS));
  return {
    ...withLatency(estimate, download),
    rates: withRate(estimate.rates, (sizeBytes * 8) / bodyMs),
    errors: lastFew(estimate.errors, estimate.rates.size, errorOf(estimate, sizeBytes, tookMs)),
  };
}

type Latencies = Pick<LatencyAndRate, 'latenciesMs' | 'firstLatencyMs'>;

function withLatency(
  { latenciesMs, firstLatencyMs, rates }: LatencyAndRate,
  { startMs, firstByteMs, connectionReused }: DownloadEvent,
): Latencies {
  if (firstByteMs === null) return { latenciesMs, firstLatencyMs };
  const latencyMs = firstByteMs - startMs;
  return connectionReused === false
    ? { latenciesMs, firstLatencyMs: latencyMs }
    : { latenciesMs: lastFew(latenciesMs, rates.size, latencyMs), firstLatencyMs };
}

/** Returns |time − predicted time| / predicted time of a download; 0 where nothing was predicted. */
function errorOf(estimate: LatencyAndRate, sizeBytes: number, tookMs: number): number {
  const predicted = predictedOf(estimate);
  if (predicted === null) return 0;
  const predictedMs = predicted.latencyMs + transferMs(sizeBytes, predicted.rateKbps);
  return Math.abs(tookMs - predictedMs) / predictedMs;
}

/**
 * A body is taken to last so long at least, in ms: a small one comes from a queue on the way in one burst, which says
 * nothing of the rate of a larger one.
 */
const MIN_BODY_MS = 20;
