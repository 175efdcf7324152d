import type { BufferAround } from '../../estimators/reckonedBuffer.ts';
import { MINIMUM_BUFFER_MS, type EnhancedLevels } from './enhancedLevels.ts';

/**
 * BOLA-E's placeholder: seconds that are not in the buffer but count as if they were, so that a level which the network
 * did not cause (a start, a wait, a target below what BOLA needs) does not lower the rung.
 */

/** Make sure that it does not stick around (PLACEHOLDER_BUFFER_DECAY): kept per segment. */
const KEPT = 0.99;

export interface Loaded {
  readonly rung: number;
  readonly around: BufferAround;
  /** False for the downloads that the throughput chose. */
  readonly steady: boolean;
  /** Whether the wait before it counts. */
  readonly withWait: boolean;
  readonly segmentMs: number;
}

/** The placeholder after a download, ms. */
export function placeholderAfter(placeholderMs: number, levels: EnhancedLevels, loaded: Loaded): number {
  const { rung, around, steady, withWait, segmentMs } = loaded;
  const max = Math.max(levels.maxMs[rung]! - around.atRequestMs, 0);
  const wanted = steady
    ? placeholderMs + (withWait ? around.waitMs : 0)
    : Math.max(levels.minMs[rung]! - around.atRequestMs, 0);
  return Math.min(KEPT * wanted, max) + (around.replaced ? segmentMs : 0);
}

/** After an abandoned download no more than makes BOLA just keep that rung, ms. */
export function placeholderAfterAbandon(
  placeholderMs: number,
  levels: EnhancedLevels,
  { rung, bufferMs }: { rung: number; bufferMs: number },
): number {
  const wantedMs = rung > 0 ? levels.minMs[rung]! : MINIMUM_BUFFER_MS;
  return Math.min(placeholderMs, Math.max(wantedMs - bufferMs, 0));
}
