import {
  emptyCheckedMean,
  errorMax,
  rateOf,
  withMeasured,
  type CheckedMean,
} from '../../estimators/harmonicMean.ts';
import {
  emptyLatencyAndRate,
  predictedOf,
  withTimed,
  type LatencyAndRate,
} from '../../estimators/latencyAndRate.ts';
import type { DownloadEvent } from '../../rule.ts';

/** What the next downloads are expected to take. */
export interface Prediction {
  /** From the request to the first byte; null where the rate includes it. */
  readonly latencyMs: number | null;
  readonly rateKbps: number;
  /** Largest recent error, by which the prediction is discounted; null for a rule that does not. 0.25 is 25 %. */
  readonly errorMax: number | null;
  /** How many downloads it is made of. */
  readonly downloads: number;
}

/** How an MPC rule predicts. `Memory` is plain data and does not grow. */
export interface Predictor<Memory> {
  readonly empty: Memory;
  /** The memory after one more download of the media type; the same one where the download says nothing. */
  readonly after: (memory: Memory, download: DownloadEvent) => Memory;
  /** null before the first download. */
  readonly of: (memory: Memory) => Prediction | null;
}

/** The harmonic mean of the last rates, from the request to the last byte (Yin et al., SIGCOMM 2015). */
export const meanPredictor = (
  samples: number,
  { discounts }: { readonly discounts: boolean },
): Predictor<CheckedMean> => ({
  empty: emptyCheckedMean(samples),
  after(mean, download) {
    const rateKbps = rateOf(download);
    return rateKbps === null ? mean : withMeasured(mean, rateKbps);
  },
  of(mean) {
    const { predictedKbps, window } = mean;
    if (predictedKbps === null) return null;
    return {
      latencyMs: null,
      rateKbps: predictedKbps,
      errorMax: discounts ? errorMax(mean) : null,
      downloads: window.ratesKbps.length,
    };
  },
});

/** Latency and rate apart, discounted by the largest recent error of the whole time. */
export const latencyAndRatePredictor = (samples: number): Predictor<LatencyAndRate> => ({
  empty: emptyLatencyAndRate(samples),
  after: withTimed,
  of(estimate) {
    const predicted = predictedOf(estimate);
    return (
      predicted && { ...predicted, errorMax: errorMax(estimate), downloads: estimate.rates.ratesKbps.length }
    );
  },
});

/** What is planned with: the prediction, longer by its largest recent error. */
export function worstCaseOf({ latencyMs, rateKbps, errorMax: error }: Prediction): {
  readonly latencyMs: number;
  readonly rateKbps: number;
} {
  const factor = 1 + (error ?? 0);
  return { latencyMs: (latencyMs ?? 0) * factor, rateKbps: error === null ? rateKbps : rateKbps / factor };
}

/** The latency for the log, of a rule that predicts one. */
export const latencyMsOf = ({ latencyMs }: Prediction): { readonly latencyMs?: number } =>
  latencyMs === null ? {} : { latencyMs };
