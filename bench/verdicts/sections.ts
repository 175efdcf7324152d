import { claimingReports } from './claims.ts';
import { equalArms, aaPlan, sessionPool, plantedShift, meanLevel } from './aaCampaigns.ts';
import type { VerdictSection, Repeating } from './verdictSection.ts';
import { chanceToFind, normalCampaigns } from '../../src/analysis/statistics/simulatedPower.ts';
import type { Figure } from '../figure.ts';
import { reportModel } from '../../experiment/report/model/reportModel.ts';

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
    const draw = normalCampaigns(DEVIATION, (residual) => residual, 1);
    const chance = chanceToFind(draw, SHIFT, { pairs: PAIRS, alpha: plan.campaign.alpha });
    return [
      {
        id: 'planted-found',
        label: `of ${repetitions} reports find it`,
        unit: '%',
        value: (100 * found) / repetitions,
        interval: null,
        goalMax: 86,
        goalMin: 76,
        known: `simulated ${(100 * chance).toFixed(0)} %`,
      },
    ];
  },
};

const MARGIN_SHIFT = 0.03;
const MARGIN_DEVIATION = 0.02;
/** Ten pairs, as the campaigns of papers have at the least; and so many that any method works. */
const MARGIN_PAIRS = [10, 60] as const;

/** Two arms as far apart as the margin are not equivalent: whoever says so is wrong, and 1 of 40 may be. */
export const marginSection: VerdictSection = {
  id: 'margin',
  label: `A difference as large as the margin, at a paired deviation of ${100 * MARGIN_DEVIATION} %: how often it is called equivalent`,
  repetitions: 1000,
  measure: (repeating) => MARGIN_PAIRS.map((pairs) => falselyEquivalent(pairs, repeating)),
};

function falselyEquivalent(pairs: number, { repetitions, say }: Repeating): Figure {
  const planned = aaPlan({ repeats: pairs, seconds: 60 });
  const pool = sessionPool(planned, 4);
  const margin = MARGIN_SHIFT * meanLevel(pool, planned.campaign.primary);
  const plan = { ...planned, campaign: { ...planned.campaign, margin } };
  let wrong = 0;
  for (let seed = 1; seed <= repetitions; seed++) {
    const source = plantedShift(plan, pool, {
      arm: 'b',
      shift: MARGIN_SHIFT,
      deviation: MARGIN_DEVIATION,
      seed,
    });
    if (reportModel(source).verdicts.some(({ judgement }) => judgement?.relevance === 'inside')) wrong += 1;
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
