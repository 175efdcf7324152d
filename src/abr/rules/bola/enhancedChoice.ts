import { highestRungWithin, type Ladder } from '../../ladder.ts';
import { formatRung, seconds } from '../../format.ts';
import { enhancedBest, type EnhancedLevels } from './enhancedLevels.ts';

export interface EnhancedQuestion {
  readonly bufferMs: number;
  readonly placeholderMs: number;
  readonly lastRung: number | null;
  /** What the network safely carries, kbit/s. */
  readonly safeKbps: number;
}

export interface EnhancedChoice {
  readonly rung: number;
  /** What the score alone would have taken. */
  readonly best: number;
  /** Wait until the buffer is down to this, ms; null for no wait. */
  readonly holdMs: number | null;
}

/**
 * BOLA-E's choice once started. A rise above what the network carries stops there, but not below the rung before
 * (BOLA-O). What is above `maxMs` eats the placeholder first, then the buffer by waiting; never on the top rung, which
 * may fill the buffer as far as the player likes.
 */
export function enhancedChoice(levels: EnhancedLevels, question: EnhancedQuestion): EnhancedChoice {
  const { ladder } = levels.known;
  const top = ladder.length - 1;
  const last = Math.min(question.lastRung ?? 0, top);
  const best = enhancedBest(levels, question.bufferMs + question.placeholderMs);
  const sustained = highestRungWithin(ladder, question.safeKbps);
  const rung = best > last && best > sustained ? Math.max(sustained, last) : best;
  const maxMs = levels.maxMs[rung]!;
  return { rung, best, holdMs: rung < top && question.bufferMs > maxMs ? maxMs : null };
}

/** "rung 3 of 6 (1.20 Mbit/s) has the highest score", and what became of it. */
export function formatChoice(ladder: Ladder, { rung, best, holdMs }: EnhancedChoice): string {
  const wait = holdMs === null ? '' : `, requested when ${seconds(holdMs)} are left`;
  return best > rung
    ? `${formatRung(ladder, best)} has the highest score, but the network does not carry it, so ${formatRung(ladder, rung)}${wait}`
    : `${formatRung(ladder, rung)} has the highest score${wait}`;
}
