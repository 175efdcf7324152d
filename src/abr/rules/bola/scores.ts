import type { Ladder } from '../../ladder.ts';

/** What BOLA's score is made of; fixed for a ladder. */
export interface Utilities {
  readonly ladder: Ladder;
  /** Of each rung, ln(R_q / R_0) in BOLA; one more in BOLA-E. Bitrates stand for sizes: their ratios are the same. */
  readonly utilities: readonly number[];
}

export const utilitiesOf = (ladder: Ladder, ofLowest: number): Utilities => ({
  ladder,
  utilities: ladder.map(({ bitrateKbps }) => Math.log(bitrateKbps / ladder[0]!.bitrateKbps) + ofLowest),
});

/** How much buffer a unit of utility is worth (V_p, ms), and how much utility it is to play at all (γp). */
export interface Weights {
  readonly vpMs: number;
  readonly gp: number;
}

/** Where the score of a rung is 0, ms of buffer: above it, waiting is better than loading this rung. */
export const zeroMs = ({ utilities }: Utilities, { vpMs, gp }: Weights, rung: number): number =>
  vpMs * (utilities[rung]! + gp);

/**
 * The rung with the highest score (V_p (v_q + γp) − B) / R_q (Spiteri et al. 2016, eq. 8, in ms of buffer instead of
 * segments). Of equal scores the higher rung.
 */
export function bestRung(known: Utilities, weights: Weights, bufferMs: number): number {
  const { ladder } = known;
  let best = 0;
  let bestScore = -Infinity;
  for (let rung = 0; rung < ladder.length; rung += 1) {
    const score = (zeroMs(known, weights, rung) - bufferMs) / ladder[rung]!.bitrateKbps;
    if (score >= bestScore) {
      best = rung;
      bestScore = score;
    }
  }
  return best;
}
