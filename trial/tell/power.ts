import { seededNormals } from '../../src/analysis/statistics/random.ts';
import type { Trial } from '../design/trialFile.ts';
import { mixtureAtPlan, sequenceHalfWidth } from './confidenceSequence.ts';
import { MIN_CLUSTERS } from './effects.ts';
import { expectationOf } from './plannedError.ts';

const TRIALS = 4000;
const SEED = 1;
const WANTED = 0.8;

/** Trials as the looks see them: Brownian motion at even fractions of the information of the plan (Lan and Zucker 1993). */
function drawPaths(looks: number): Float64Array[] {
  const draw = seededNormals(SEED);
  return Array.from({ length: TRIALS }, () => {
    let sum = 0;
    return Float64Array.from(draw(looks), (step) => (sum += step / Math.sqrt(looks)));
  });
}

interface Looks {
  readonly looks: number;
  readonly alpha: number;
  /** Share of the trial, 0 to 1, before which nothing is judged. */
  readonly fromShare: number;
}

/** Makes the chance that an effect, in standard errors at the end, is found at one of the looks that judge. */
function chanceFinder({ looks, alpha, fromShare }: Looks): (effect: number) => number {
  const paths = drawPaths(looks);
  const fractions = Array.from({ length: looks }, (_, look) => (look + 1) / looks);
  const halves = fractions.map((fraction) => sequenceHalfWidth(mixtureAtPlan(alpha) * fraction, alpha));
  return (effect) => {
    let found = 0;
    for (const path of paths)
      if (
        path.some(
          (value, at) =>
            fractions[at]! >= fromShare &&
            value / Math.sqrt(fractions[at]!) + effect * Math.sqrt(fractions[at]!) > halves[at]!,
        )
      )
        found += 1;
    return found / TRIALS;
  };
}

/** What a design can find. */
export interface TrialPower {
  /** Day on which each arm has as many units as a verdict needs. Beyond the end there is none. */
  readonly firstVerdictDay: number;
  /** Chance that an effect of the size of the margin is found by the end, 0 to 1. */
  readonly chanceAtMargin: number;
  /** Effect that is found with a chance of 80 %, in the unit of the metric. */
  readonly detectable: number;
  /** Half the width of the interval at the end, in the unit of the metric. */
  readonly halfWidth: number;
  /** Days until an effect of the size of the margin is found with a chance of 80 %; null beyond ten years. */
  readonly daysForMargin: number | null;
  /** Sessions until then; null as `daysForMargin`. */
  readonly sessionsForMargin: number | null;
  /** Whether a true difference of 0 can be shown to be inside the margin by the end, with a chance of 80 %. */
  readonly canShowInside: boolean;
}

/** z of a chance of 90 % on each of two sides: 80 % between. */
const Z_90 = 1.2816;
const MAX_DAYS = 3650;

/** Computes what a design finds, by the interval that the report uses and at the looks that the file declares. */
export function trialPower(trial: Trial): TrialPower {
  const { stopping, primary, expected } = trial;
  const { standardError, alpha, armUnits } = expectationOf(trial);
  const fromShare = MIN_CLUSTERS / armUnits;
  const chanceOf = chanceFinder({ looks: stopping.looks, alpha, fromShare: Math.min(1, fromShare) });
  const needed = effectFor(chanceOf);
  const halfWidth = standardError * sequenceHalfWidth(mixtureAtPlan(alpha), alpha);
  // The standard error shrinks with the root of the days, for every unit.
  const firstVerdictDay = Math.ceil(stopping.days * fromShare);
  const days = Math.max(
    firstVerdictDay,
    Math.ceil(stopping.days * ((needed * standardError) / primary.margin) ** 2),
  );
  const isReachable = days <= MAX_DAYS;
  return {
    firstVerdictDay,
    chanceAtMargin: fromShare > 1 ? 0 : chanceOf(primary.margin / standardError),
    detectable: needed * standardError,
    halfWidth,
    daysForMargin: isReachable ? days : null,
    sessionsForMargin: isReachable ? Math.ceil(days * expected.sessionsPerDay) : null,
    canShowInside: fromShare <= 1 && halfWidth + Z_90 * standardError < primary.margin,
  };
}

/** The effect in standard errors that is found with a chance of 80 %, by bisection. */
function effectFor(chanceOf: (effect: number) => number): number {
  let [low, high] = [0, 12];
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    if (chanceOf(middle) < WANTED) low = middle;
    else high = middle;
  }
  return high;
}
