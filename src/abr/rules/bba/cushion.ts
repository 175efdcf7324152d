/** Where the map from buffer to rate is sloped: below it the lowest rung, above it the highest (Huang 2014, Fig. 5). */
export interface Cushion {
  /** End of the reservoir, ms of buffer. */
  readonly reservoirMs: number;
  /** Where the map reaches the top rung, ms of buffer. */
  readonly endMs: number;
}

export interface BufferScale {
  /** Buffer that the map is made for, ms; the paper's is 240 s. */
  readonly bufferMaxMs: number;
  /** Where the player stops filling, ms. */
  readonly bufferTargetMs: number;
  readonly segmentMs: number;
  /** Share of the buffer at which the cushion ends. */
  readonly endShare: number;
}

/** Largest dynamic reservoir: 140 of 240 s (§5.1); 35 of 60 s. */
const RESERVOIR_SHARE = 140 / 240;

/**
 * A player asks while one more segment still fits below its target. A cushion that ends half a segment before that
 * level is passed in practice, so that the top rung can be reached.
 */
const SEGMENTS_BELOW_TARGET = 1.5;

/** The buffer that the map may count on, ms: a player that stops filling earlier never gets to the rest of the map. */
export const usableBufferMs = ({ bufferMaxMs, bufferTargetMs }: BufferScale): number =>
  bufferTargetMs > 0 ? Math.min(bufferMaxMs, bufferTargetMs) : bufferMaxMs;

/** The cushion for a wished reservoir, which is kept within [`reservoirMinMs`, 35 of 60 s] as far as the buffer allows. */
export function cushionOf(scale: BufferScale, wishedMs: number, reservoirMinMs: number): Cushion {
  const bufferMs = usableBufferMs(scale);
  const reachableMs = Math.max(bufferMs - SEGMENTS_BELOW_TARGET * scale.segmentMs, bufferMs / 2);
  const endMs = Math.min(scale.endShare * bufferMs, reachableMs);
  const maxMs = Math.min(RESERVOIR_SHARE * bufferMs, endMs);
  const minMs = Math.min(reservoirMinMs, maxMs / 2);
  return { reservoirMs: Math.min(Math.max(wishedMs, minMs), maxMs), endMs };
}

/** How full the cushion is at a buffer level: 0 at the end of the reservoir and below, 1 at its own end and above. */
export function cushionShare({ reservoirMs, endMs }: Cushion, bufferMs: number): number {
  if (bufferMs <= reservoirMs) return 0;
  return bufferMs >= endMs ? 1 : (bufferMs - reservoirMs) / (endMs - reservoirMs);
}
