import { kbpsOf } from '../../shared/units.ts';
import type { DownloadEvent } from '../rule.ts';

/**
 * Harmonic mean of the last few rates, the bandwidth predictor of FESTIVE (Jiang et al., CoNEXT 2012, §4.1) and
 * MPC (Yin et al., SIGCOMM 2015, §4.2): one fast outlier moves it little. The window is bounded, so that a state
 * after 24 h is as small as after five segments.
 */
export interface RateWindow {
  readonly size: number;
  /** kbit/s, oldest first, at most `size`. */
  readonly ratesKbps: readonly number[];
}

/** An empty window over the last `size` rates. Throws unless `size` is a whole number ≥ 1. */
export function emptyWindow(size: number): RateWindow {
  if (!Number.isInteger(size) || size < 1) throw new Error(`a window of ${size} rates cannot be`);
  return { size, ratesKbps: [] };
}

/** The window with one more rate; a rate that is not a positive finite number says nothing and is left out. */
export function withRate({ size, ratesKbps }: RateWindow, rateKbps: number): RateWindow {
  if (!Number.isFinite(rateKbps) || rateKbps <= 0) return { size, ratesKbps };
  return { size, ratesKbps: lastFew(ratesKbps, size, rateKbps) };
}

/** kbit/s; null while the window is empty. */
export function harmonicMean({ ratesKbps }: RateWindow): number | null {
  if (ratesKbps.length === 0) return null;
  let inverses = 0;
  for (const rateKbps of ratesKbps) inverses += 1 / rateKbps;
  return ratesKbps.length / inverses;
}

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
export function errorMax({ errors }: Pick<CheckedMean, 'errors'>): number {
  let max = 0;
  for (const error of errors) if (error > max) max = error;
  return max;
}

/**
 * The papers' download rate in kbit/s: from the request, not from the first byte, to the last byte. null when it says
 * nothing about the path: no time passed (a cache), or the download was abandoned, whose body is short and mostly slow
 * start.
 */
export function rateOf(download: DownloadEvent): number | null {
  return download.aborted ? null : kbpsOf(download.sizeBytes, download.lastByteMs - download.startMs);
}

/**
 * The last `size` numbers of a list, oldest first, after one more. Fills a new array of the right length: in a simulator
 * with 50,000 sessions a second that is a third of the cost of slice and push, whose array grows once more.
 */
export function lastFew(before: readonly number[], size: number, next: number): number[] {
  const from = before.length < size ? 0 : before.length - size + 1;
  const kept = before.length - from;
  const after = new Array<number>(kept + 1);
  for (let index = 0; index < kept; index += 1) after[index] = before[from + index]!;
  after[kept] = next;
  return after;
}
