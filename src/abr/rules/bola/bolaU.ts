import { BOLA_PAPER, bolaRule } from './bolaRule.ts';

/**
 * BOLA-U: as BOLA-O, but where that stops at the rung which the last download carried, this goes one higher: more
 * utility, some more switches (arXiv 1601.06748, Algorithm 1).
 */
export const bolaU = bolaRule({
  id: 'bola-u',
  label: 'BOLA-U',
  paper: `${BOLA_PAPER}, BOLA-U`,
  finite: true,
  rise: 'one-above',
});
