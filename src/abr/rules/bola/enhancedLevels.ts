import type { Ladder } from '../../ladder.ts';
import { bestRung, utilitiesOf, type Utilities, type Weights } from './scores.ts';

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
export const MINIMUM_BUFFER_MS = 10_000;
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
