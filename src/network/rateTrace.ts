/**
 * What a path carries over time, as recorded: pieces of constant rate, the last one followed by the first again.
 *
 *     0 ────── endMs[0] ─── endMs[1] ──────── endMs[2] = its length
 *      rate[0]      rate[1]        rate[2]
 */
export interface RateTrace {
  /** File name without its folder, or how it was made. */
  readonly name: string;
  /** End of each piece, ms from the trace's zero; strictly ascending, the first above 0. */
  readonly endMs: Float64Array;
  /** kbit/s in each piece; finite, ≥ 0, not all 0. */
  readonly rateKbps: Float64Array;
  /** Round-trip time in each piece, ms; null when the format does not tell. */
  readonly rttMs: Float64Array | null;
  /**
   * Where the first pass begins, ms. Later passes begin at 0. Pensieve's files begin at their first time stamp, whose
   * rate is never used (fixed_env.py); every other format begins at 0.
   */
  readonly startMs: number;
}

/** Length of one pass, ms. */
export const lengthMs = (trace: RateTrace): number => trace.endMs.at(-1) ?? 0;
