import { BOLA_PAPER, bolaRule } from './bolaRule.ts';

/**
 * BOLA-O: BOLA-FINITE that does not rise above what the last download carried, to oscillate less (arXiv 1601.06748,
 * Algorithm 1). Let q* be the choice, higher than the rung before, and q' the highest rung within the last measured
 * rate. q' ≥ q*: q*. q' below the rung before: that one again. Else q', and the request waits until the buffer is down
 * to V_p (v_q' + γp), so that low rungs do not overfill it.
 */
export const bolaO = bolaRule({
  id: 'bola-o',
  label: 'BOLA-O',
  paper: `${BOLA_PAPER}, BOLA-O`,
  finite: true,
  rise: 'sustained',
});
