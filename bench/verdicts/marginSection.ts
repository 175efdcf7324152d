import { meanLevel, plantedShift } from './plantedShift.ts';
import { sessionPool } from './sessionPool.ts';
import { aaPlan } from './aaPlan.ts';
import type { Repeating, VerdictSection } from './verdictSection.ts';
import type { Figure } from '../figure.ts';
import { reportModel } from '../../src/report/model/reportModel.ts';

const SHIFT = 0.03;
const DEVIATION = 0.02;
/** Ten pairs, as the campaigns of papers have at the least; and so many that any method works. */
const PAIRS = [10, 60] as const;

/** Two arms as far apart as the margin are not equivalent: whoever says so is wrong, and 1 of 40 may be. */
export const marginSection: VerdictSection = {
  id: 'margin',
  label: `A difference as large as the margin, at a paired deviation of ${100 * DEVIATION} %: how often it is called equivalent`,
  repetitions: 1000,
  measure: (repeating) => PAIRS.map((pairs) => falselyEquivalent(pairs, repeating)),
};

function falselyEquivalent(pairs: number, { repetitions, say }: Repeating): Figure {
  const planned = aaPlan({ repeats: pairs, seconds: 60 });
  const pool = sessionPool(planned, 4);
  const margin = SHIFT * meanLevel(pool, planned.campaign.primary);
  const plan = { ...planned, campaign: { ...planned.campaign, margin } };
  let wrong = 0;
  for (let seed = 1; seed <= repetitions; seed++) {
    const source = plantedShift(plan, pool, { arm: 'b', shift: SHIFT, deviation: DEVIATION, seed });
    if (reportModel(source).verdicts.some(({ verdict }) => verdict === 'equivalent')) wrong += 1;
  }
  say(`${repetitions} campaigns of ${pairs} pairs`);
  return {
    id: `margin-equivalent-${pairs}`,
    label: `of ${repetitions} campaigns of ${pairs} pairs call it equivalent`,
    unit: '%',
    value: (100 * wrong) / repetitions,
    interval: null,
    goalMax: 5,
    known: 'at 95 % one side of the interval may miss in 2.5 %',
  };
}
