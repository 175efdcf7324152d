import { tunableRule } from '../parameters.ts';
import { MPC_PAPER, mpcRule } from './mpc/mpcRule.ts';

/**
 * MPC for the worst rate that its recent errors let it expect: the best plan of the next five segments at
 *
 *     C_hm / (1 + largest error of the last 5)      error = |C_hm predicted − C measured| / C measured, first one 0
 *
 * No plan is worth less at a higher rate, so this is the best worst case over the interval of rates that the errors
 * span. The public code (`test/mpc.py` of Pensieve) differs in bugs that are not here: it reads sizes one segment too
 * far and carries the errors of one video over to the next (`start` begins anew), which together cost it 0.034 of
 * 0.885 a segment on HSDPA and Envivio; and ties go there to the last plan looked at (`planner/bestPlan.ts`).
 */
export const mpcRobust = tunableRule(MPC_PAPER, (parameters) =>
  mpcRule(
    {
      id: 'mpc-robust',
      label: 'MPC (robust)',
      paper: 'Yin, Jindal, Sekar, Sinopoli, SIGCOMM 2015: RobustMPC',
    },
    parameters,
    { discounts: true },
  ),
);
