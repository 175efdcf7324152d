import { claimingReports } from './claimingReports.ts';
import { plantedShift } from './plantedShift.ts';
import { sessionPool } from './sessionPool.ts';
import { aaPlan } from './aaPlan.ts';
import type { VerdictSection } from './verdictSection.ts';
import { power } from '../../src/analysis/statistics/power.ts';

const PAIRS = 60;
const SHIFT = 0.03;
const DEVIATION = 0.08;

export const plantedSection: VerdictSection = {
  id: 'planted',
  label: `A shift of ${100 * SHIFT} % at a paired deviation of ${100 * DEVIATION} % and ${PAIRS} pairs: how often it is found`,
  repetitions: 1000,
  measure({ repetitions, say }) {
    const plan = aaPlan({ repeats: PAIRS, seconds: 60 });
    const pool = sessionPool(plan, 4);
    const planted = { arm: 'b', shift: SHIFT, deviation: DEVIATION };
    const sourceOf = (seed: number) => plantedShift(plan, pool, { ...planted, seed });
    const found = claimingReports({ repetitions, say }, sourceOf, (claim) => claim === 'better');
    const theory = power({ shift: SHIFT, deviation: DEVIATION, alpha: plan.campaign.alpha }, PAIRS);
    return [
      {
        id: 'planted-found',
        label: `of ${repetitions} reports find it`,
        unit: '%',
        value: (100 * found) / repetitions,
        interval: null,
        goalMax: 86,
        goalMin: 76,
        known: `theory ${(100 * theory).toFixed(0)} %`,
      },
    ];
  },
};
