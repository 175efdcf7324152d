import { BOLA_PAPER, bolaRule } from './bolaRule.ts';

/**
 * BOLA-FINITE: BOLA with a buffer that counts less near the start and the end of a video: B_D = min(B_max, t'), where
 * t' = max(t / 2, 3 L) and t is the time from the beginning or to the end, whichever is less (arXiv 1601.06748, §4.2,
 * Algorithm 1). Of a live stream only the beginning is known. "Beginning" is where the viewer began or jumped to: after
 * a seek the buffer is as empty as at the start.
 *
 * The abandoning of Algorithm 1 is left out: a rule here chooses before each request and never during one.
 */
export const bolaFinite = bolaRule({
  id: 'bola-finite',
  label: 'BOLA-FINITE',
  paper: `${BOLA_PAPER}, BOLA-FINITE`,
  finite: true,
  rise: 'free',
});
