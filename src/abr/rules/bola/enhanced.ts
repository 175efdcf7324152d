import { type Ladder, highestRungWithin } from '../../ladder.ts';
import { bestRung, utilitiesOf, type Utilities, type Weights } from './bola.ts';
import { formatRung, seconds } from '../../format.ts';
import type { BufferAround } from '../../estimators/reckonedBuffer.ts';

/**
 * BOLA-E's shape for a ladder (Spiteri et al., MMSys 2018; dash.js 5.2.1, BolaRule.js). With u_q = ln(R_q / R_0) + 1
 * and B_t = max(`bufferTimeMs`, 10 s + 2 s per rung):
 *
 *     γp = (u_top − 1) / (B_t / 10 s − 1)      V_p = 10 s / γp      score (V_p (u_q − 1 + γp) − B) / R_q
 *
 * so that the lowest rung's score is 0 at 10 s of buffer and the top one's at B_t.
 */
export interface EnhancedLevels {
  readonly known: Utilities;
  readonly weights: Weights;
  /** From this level on a rung beats all below it, ms. */
  readonly minMs: readonly number[];
  /** V_p (u_q + γp): above it the rung is not loaded but waited for, ms. */
  readonly maxMs: readonly number[];
}

/** BOLA-E never waits below this level (minimum_buffer, MINIMUM_BUFFER_S). */
const MINIMUM_BUFFER_MS = 10_000;
const PER_RUNG_MS = 2000;

/**
 * null for a ladder with nothing to choose. `minOffset` 1 is dash.js': it computes `minMs` with u where its score has
 * u − 1, and so gets levels that are V_p above the true ones.
 */
export function enhancedLevels(
  ladder: Ladder,
  bufferTimeMs: number,
  minOffset: 0 | 1,
): EnhancedLevels | null {
  const known = utilitiesOf(ladder, 1);
  const { utilities } = known;
  const gain = utilities.at(-1)! - 1;
  if (gain <= 0) return null;
  const bufferMs = Math.max(bufferTimeMs, MINIMUM_BUFFER_MS + PER_RUNG_MS * ladder.length);
  const gp = gain / (bufferMs / MINIMUM_BUFFER_MS - 1);
  const vpMs = MINIMUM_BUFFER_MS / gp;
  return {
    known,
    weights: { vpMs, gp: gp - 1 },
    minMs: ladder.map((_, rung) => minLevelMs(known, { vpMs, gp: gp + minOffset }, rung)),
    maxMs: utilities.map((utility) => vpMs * (utility + gp)),
  };
}

/** The level from which a rung's score is above those of all rungs below; 0 for the lowest. */
function minLevelMs({ ladder, utilities }: Utilities, { vpMs, gp }: Weights, rung: number): number {
  const high = ladder[rung]!.bitrateKbps;
  let levelMs = 0;
  for (let lower = 0; lower < rung; lower += 1) {
    const low = ladder[lower]!.bitrateKbps;
    if (low >= high) continue;
    const meet = (high * (utilities[lower]! - 1) - low * (utilities[rung]! - 1)) / (high - low);
    levelMs = Math.max(levelMs, vpMs * (gp + meet));
  }
  return levelMs;
}

/** The rung for a level of buffer, placeholder and all. Of equal scores the higher. */
export const enhancedBest = ({ known, weights }: EnhancedLevels, levelMs: number): number =>
  bestRung(known, weights, levelMs);

interface EnhancedQuestion {
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

/** "level 3 of 6 (1.20 Mbit/s) has the highest score", and what became of it. */
export function formatChoice(ladder: Ladder, { rung, best, holdMs }: EnhancedChoice): string {
  const wait = holdMs === null ? '' : `, requested when ${seconds(holdMs)} are left`;
  return best > rung
    ? `${formatRung(ladder, best)} has the highest score, but the network does not carry it, so ${formatRung(ladder, rung)}${wait}`
    : `${formatRung(ladder, rung)} has the highest score${wait}`;
}

/** Make sure that it does not stick around (PLACEHOLDER_BUFFER_DECAY): kept per segment. */
const KEPT = 0.99;

interface Loaded {
  readonly rung: number;
  readonly around: BufferAround;
  /** False for the downloads that the throughput chose. */
  readonly steady: boolean;
  /** Whether the wait before it counts. */
  readonly withWait: boolean;
  readonly segmentMs: number;
}

/**
 * BOLA-E's placeholder after a download, ms: time that is not in the buffer but counts as if it were, so that a level
 * which the network did not cause (a start, a wait, a target below what BOLA needs) does not lower the rung.
 */
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
