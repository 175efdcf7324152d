import { kbpsOf } from '../../shared/units.ts';
import type { DownloadEvent } from '../rule.ts';

/**
 * What dash.js 5.2.1 believes of the network with its default settings (ThroughputModel.js): the rate from the first to
 * the last byte, and the latency before it, each as a pair of moving means of which the more careful one counts.
 *
 * Where the origin hides the first byte, dash.js takes the XHR's progress events without the first; they are unknown
 * here, so the time from the request on counts. Its samples have headers in them; ours are bodies.
 */
export interface DashEstimate {
  readonly rate: EwmaPair;
  readonly latency: EwmaPair;
}

/** s (throughputFastHalfLifeSeconds, …Slow…) and samples (latencyFastHalfLifeCount, …Slow…). */
const RATE_HALF_LIVES = { fast: 3, slow: 8 };
const LATENCY_HALF_LIVES = { fast: 1, slow: 2 };
/** Weight of a ms of download (weightDownloadTimeMultiplicationFactor). */
const WEIGHT_PER_MS = 0.0015;

export const NO_SAMPLES: EwmaPair = { fast: 0, slow: 0, totalWeight: 0 };

export const NO_ESTIMATE: DashEstimate = { rate: NO_SAMPLES, latency: NO_SAMPLES };

/** With one more download; an abandoned one, and one that took no time (a cache), is no sample. */
export function withDownload(estimate: DashEstimate, download: DownloadEvent): DashEstimate {
  const { startMs, firstByteMs, lastByteMs, sizeBytes, aborted } = download;
  const tookMs = lastByteMs - (firstByteMs ?? startMs);
  const rateKbps = kbpsOf(sizeBytes, tookMs);
  if (aborted || rateKbps === null || sizeBytes <= 0) return estimate;
  const rate = { value: Math.round(rateKbps), weight: WEIGHT_PER_MS * tookMs };
  return {
    rate: withSample(estimate.rate, rate, RATE_HALF_LIVES),
    latency:
      firstByteMs === null
        ? estimate.latency
        : withSample(estimate.latency, { value: firstByteMs - startMs, weight: 1 }, LATENCY_HALF_LIVES),
  };
}

/** kbit/s, a whole number: the lower of the two means; null before the first sample. */
export function estimateKbps({ rate }: DashEstimate): number | null {
  const both = means(rate, RATE_HALF_LIVES);
  return both && Math.round(Math.min(both.fast, both.slow));
}

/** ms: the higher of the two means; 0 where it is not known. */
export function latencyMs({ latency }: DashEstimate): number {
  const both = means(latency, LATENCY_HALF_LIVES);
  return both ? Math.max(both.fast, both.slow) : 0;
}

/**
 * Two exponentially weighted means of the same samples, one that forgets fast and one that forgets slowly (dash.js
 * 5.2.1, models/ThroughputModel.js and ThroughputController.js; Sabre has the same). Three numbers, however long it runs.
 */
export interface EwmaPair {
  /** Both begin at 0 and are corrected for it when read. */
  readonly fast: number;
  readonly slow: number;
  readonly totalWeight: number;
}

/** Weight after which a sample counts half. */
interface HalfLives {
  readonly fast: number;
  readonly slow: number;
}

/** With one more sample; one that is not finite or has no weight says nothing. */
export function withSample(
  pair: EwmaPair,
  { value, weight }: { value: number; weight: number },
  halfLives: HalfLives,
): EwmaPair {
  if (!Number.isFinite(value) || !(weight > 0)) return pair;
  const keepFast = 0.5 ** (weight / halfLives.fast);
  const keepSlow = 0.5 ** (weight / halfLives.slow);
  return {
    fast: (1 - keepFast) * value + keepFast * pair.fast,
    slow: (1 - keepSlow) * value + keepSlow * pair.slow,
    totalWeight: pair.totalWeight + weight,
  };
}

/** Both means, corrected for their start at 0; null before the first sample. */
export function means({ fast, slow, totalWeight }: EwmaPair, halfLives: HalfLives): HalfLives | null {
  if (totalWeight <= 0) return null;
  return {
    fast: fast / (1 - 0.5 ** (totalWeight / halfLives.fast)),
    slow: slow / (1 - 0.5 ** (totalWeight / halfLives.slow)),
  };
}
