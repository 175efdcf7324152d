import { tunableRule } from '../parameters.ts';
import { MPC_PAPER, mpcRule } from './mpc/mpcRule.ts';

/**
 * MPC that trusts its prediction: the best plan of the next five segments at the harmonic mean of the last five rates.
 * Called FastMPC wherever it is compared; the paper's FastMPC is the same plan read from a table that was made before,
 * which no machine of today needs.
 *
 * Of the public code (`test/mpc.py` of Pensieve, without its discount) it shares neither the sizes, read there one
 * segment too far, nor the ties, which go there to the last plan looked at; `planner/bestPlan.ts` says what a tie is
 * worth: HSDPA and Envivio give 0.454 a segment here, 0.286 with ties to the highest rung.
 */
export const mpcFast = tunableRule(MPC_PAPER, (parameters) =>
  mpcRule(
    {
      id: 'mpc-fast',
      label: 'MPC (fast)',
      paper: 'Yin, Jindal, Sekar, Sinopoli, SIGCOMM 2015: MPC at the harmonic mean, not discounted',
    },
    parameters,
    { discounts: false },
  ),
);
