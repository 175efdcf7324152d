import { emptyWindow, harmonicMean, withRate, type RateWindow } from './harmonicMean.ts';

/**
 * The harmonic mean as a prediction of the next rate, and how wrong it was of late: the estimator of robust MPC (Yin et
 * al., SIGCOMM 2015). The error of a download is |predicted − measured| / measured, of the mean itself, not of
 * what became of it after a discount; of the first download, which nobody predicted, it is 0.
 */
export interface CheckedMean {
  readonly window: RateWindow;
  /** kbit/s for the next download; null before the first. */
  readonly predictedKbps: number | null;
  /** Errors of the last downloads, oldest first, as many as the window has rates. 0.25 is 25 %. */
  readonly errors: readonly number[];
}

/** Over the last `size` downloads. Throws unless `size` is a whole number ≥ 1. */
export const emptyCheckedMean = (size: number): CheckedMean => ({
  window: emptyWindow(size),
  predictedKbps: null,
  errors: [],
});

/** The mean after one more download; a rate that is not a positive finite number says nothing and is left out. */
export function withMeasured(mean: CheckedMean, rateKbps: number): CheckedMean {
  const { predictedKbps, errors } = mean;
  if (!(rateKbps > 0 && rateKbps < Infinity)) return mean;
  const window = withRate(mean.window, rateKbps);
  const next = errors.slice(errors.length < window.size ? 0 : 1);
  next.push(predictedKbps === null ? 0 : Math.abs(predictedKbps - rateKbps) / rateKbps);
  return { window, predictedKbps: harmonicMean(window), errors: next };
}

/** The largest error of the last downloads; 0 when there is none. */
export function errorMax({ errors }: CheckedMean): number {
  let max = 0;
  for (const error of errors) if (error > max) max = error;
  return max;
}
