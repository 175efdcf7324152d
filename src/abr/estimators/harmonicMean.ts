import { lastFew } from './lastFew.ts';

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
