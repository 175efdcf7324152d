/** Whole segments of `segmentMs` that are left to request; null when the end is unknown. */
export function segmentsBetween(fromMs: number, endMs: number, segmentMs: number): number | null {
  if (!Number.isFinite(endMs) || !(segmentMs > 0)) return null;
  // A quarter of a segment is rounding in the MPD's timescale or an audio track that ends early, not a segment.
  return Math.max(0, Math.ceil((endMs - fromMs) / segmentMs - 0.25));
}
