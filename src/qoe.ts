/** The terms of a QoE: what was rendered, how much it changed, how long the viewer waited. */
export interface QoeTerms {
  /** Number of segments rendered; a part of a segment counts as that part. */
  readonly segments: number;
  /** Σ q(R_n) with linear q: bitrate in Mbit/s, summed over the segments. */
  readonly qualityMbps: number;
  /** Σ |q(R_{n+1}) − q(R_n)|, Mbit/s. */
  readonly variationMbps: number;
  /** Σ T_n: stalls after the first frame, s. Join time is a metric of its own. */
  readonly rebufferS: number;
}

/**
 * Linear QoE per segment: (Σ q(R_n) − µ Σ T_n − Σ |q(R_{n+1}) − q(R_n)|) / N, in Mbit/s per segment.
 * µ is the ladder's top bitrate in Mbit/s (Pensieve 2017, Table 1, where it is 4.3; the 2020 letter, §QoE).
 * Null when nothing was rendered.
 */
export function linearQoePerSegment(terms: QoeTerms, mu: number): number | null {
  if (terms.segments <= 0) return null;
  return (terms.qualityMbps - mu * terms.rebufferS - terms.variationMbps) / terms.segments;
}
