import { BOLA_PAPER, bolaRule } from './bolaRule.ts';

/**
 * BOLA-BASIC: the rung with the highest (V_p (v_q + γp) − B) / R_q, where v_q = ln(R_q / R_0), B is the buffer and
 * V_p = (B_max − L) / (v_top + γp) for segments of length L (arXiv 1601.06748, §4.1; Sabre by the same author has the
 * same form in seconds). If no score is above 0, the request waits until the buffer is down to V_p (v_q + γp).
 *
 * `gp` = γp = 5 is Sabre's; Sabre's buffer is 25 s, ours the 60 s of the chunk model (`bufferMaxMs=25000` is Sabre's),
 * or what the player keeps if that is less. On HSDPA 142: 0.762 with 60 s, 0.633 with 25 s.
 *
 * It knows bitrates only, never sizes. Not to be confused with dash.js' BolaRule, a BOLA-E whose parameters come from
 * `bufferTimeDefault`: at 60 s that one never picks the lowest of six rungs (see `bola-e`).
 */
export const bola = bolaRule({
  id: 'bola',
  label: 'BOLA',
  paper: `${BOLA_PAPER}, BOLA-BASIC`,
  finite: false,
  rise: 'free',
});
