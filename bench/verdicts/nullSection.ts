import { claimingReports } from './claimingReports.ts';
import { equalArms } from './equalArms.ts';
import { sessionPool } from './sessionPool.ts';
import { aaPlan } from './aaPlan.ts';
import type { VerdictSection } from './verdictSection.ts';

/** Four names of one arm, each with each: six comparisons a campaign. */
const PLAN = { repeats: 12, seconds: 60, aaLabels: ['a', 'b', 'c', 'd'] };
const PLAYS = 16;
/** 5 % may claim one; of 2,000 that is 100, and two standard deviations are 20. */
const MAX_SHARE = 0.06;

export const nullSection: VerdictSection = {
  id: 'null',
  label: 'Campaigns of equal arms: how many reports claim any difference',
  repetitions: 2000,
  measure({ repetitions, say }) {
    const plan = aaPlan(PLAN);
    const pool = sessionPool(plan, PLAYS);
    say(`${pool.flat().length} sessions are simulated`);
    return [
      {
        id: 'null-claims',
        label: `reports of ${repetitions} that claim a difference where none is (12 pairs, 6 comparisons)`,
        unit: '',
        value: claimingReports({ repetitions, say }, (seed) => equalArms(plan, pool, seed)),
        interval: null,
        goalMax: Math.floor(MAX_SHARE * repetitions),
      },
    ];
  },
};
