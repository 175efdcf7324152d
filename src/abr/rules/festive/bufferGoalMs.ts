import { hashToUnit } from '../../hashToUnit.ts';

/**
 * FESTIVE's randomised scheduling: the buffer level at which the next request may be made, drawn anew for each segment.
 * The paper draws from (target − Δ, target + Δ], Δ one segment, so that players that share a link fall out of step. Our
 * player never lets its buffer above the target, which would cut the upper half off, so we draw from (target − 2Δ,
 * target] instead; and never less than one segment, so that a short live buffer is not drained by waiting.
 */
export function bufferGoalMs(target: {
  readonly targetMs: number;
  readonly segmentMs: number;
  /** Δ in segments; 0 draws nothing. */
  readonly spread: number;
  readonly seed: number;
  /** Which draw of the session it is. */
  readonly count: number;
}): number {
  const { targetMs, segmentMs, spread, seed, count } = target;
  const goalMs = targetMs - 2 * spread * segmentMs * hashToUnit(seed, count);
  return Math.round(Math.max(goalMs, segmentMs));
}
