import { defaultArm, otherArms, type Trial } from '../design/trialFile.ts';

const DAY_MINUTES = 24 * 60;

/** What the design expects at the end of the trial. */
export interface Expectation {
  readonly sessions: number;
  /** Sessions, viewers, or pairs of periods: what is drawn independently. */
  readonly units: number;
  /** Those of the smallest arm that is compared; of periods, the pairs: each arm has one of each. */
  readonly armUnits: number;
  /** Standard error of the difference between the smallest arm and the default. */
  readonly standardError: number;
  /** Alpha of one comparison: that of the trial is divided by their number (Bonferroni). */
  readonly alpha: number;
}

/** Computes what a design expects after some days. */
export function expectationOf(trial: Trial, days = trial.stopping.days): Expectation {
  const { unit, expected } = trial;
  const sessions = expected.sessionsPerDay * days;
  const alpha = comparisonAlpha(trial);
  if (unit.kind === 'switchback') {
    const { periodMinutes, washoutMinutes } = unit;
    const units = (days * DAY_MINUTES) / (2 * periodMinutes);
    const counted = (expected.sessionsPerDay * (periodMinutes - washoutMinutes)) / DAY_MINUTES;
    const variance = (2 * (expected.periodSpread ** 2 + expected.spread ** 2 / counted)) / units;
    return { sessions, units, armUnits: units, standardError: Math.sqrt(variance), alpha };
  }
  const smallest = Math.min(...otherArms(trial).map(({ share }) => share));
  const variance = (expected.spread ** 2 * (1 / smallest + 1 / defaultArm(trial).share)) / sessions;
  const smallestShare = Math.min(smallest, defaultArm(trial).share);
  if (unit.kind === 'session') {
    const armUnits = smallestShare * sessions;
    return { sessions, units: sessions, armUnits, standardError: Math.sqrt(variance), alpha };
  }
  // Kish's design effect: sessions of one viewer share the arm.
  const effect = 1 + (expected.sessionsPerViewer - 1) * expected.viewerCorrelation;
  const units = sessions / expected.sessionsPerViewer;
  return {
    sessions,
    units,
    armUnits: smallestShare * units,
    standardError: Math.sqrt(variance * effect),
    alpha,
  };
}

/** Alpha of each comparison with the default. */
export const comparisonAlpha = (trial: Trial): number => trial.stopping.alpha / (trial.arms.length - 1);
