/**
 * Describes the recorded rate of a path over time: pieces of constant rate, repeated from the first after the last.
 *
 *     0 ────── endMs[0] ─── endMs[1] ──────── endMs[2] = its length
 *      rate[0]      rate[1]        rate[2]
 */
export interface RateTrace {
  /** File name without its folder, or the way in which the trace was made. */
  readonly name: string;
  /** End of each piece, in ms from the trace's zero; strictly ascending, the first above 0. */
  readonly endMs: Float64Array;
  /** Rate of each piece, in kbit/s; finite, ≥ 0, not all 0. */
  readonly rateKbps: Float64Array;
  /** Round-trip time of each piece, in ms; null if the format does not contain it. */
  readonly rttMs: Float64Array | null;
  /** Share of packets of each piece that are lost at random, 0 to 1; absent: none, or the format does not contain it. */
  readonly lossDown?: Float64Array;
  readonly lossUp?: Float64Array;
  /** Probability of each piece that a packet is lost after one that was: losses in bursts. Absent: `lossDown`. */
  readonly againDown?: Float64Array;
  /**
   * Start of the first pass, in ms. Later passes start at 0. Pensieve's files start at their first time stamp, whose
   * rate is never used (fixed_env.py), unless that is longer than any step; every other format starts at 0.
   */
  readonly startMs: number;
}

/** Returns the length of one pass, in ms. */
export const lengthMs = (trace: RateTrace): number => trace.endMs.at(-1) ?? 0;

/** Returns the mean rate of the first pass, in kbit/s. */
export function meanKbps({ endMs, rateKbps, startMs }: RateTrace): number {
  let [bits, beforeMs] = [0, startMs];
  for (const [piece, end] of endMs.entries()) {
    bits += rateKbps[piece]! * (end - beforeMs);
    beforeMs = end;
  }
  return bits / (beforeMs - startMs);
}
