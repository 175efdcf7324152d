import { chiSquareTail, sharesTest } from '../../src/analysis/statistics/countTests.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import type { Trial } from '../design/trialFile.ts';
import type { Enrolment } from './enrol.ts';

/** Below it a mismatch is an alarm: so small that thirty looks at three tests raise a false one in fewer than 1 of 10 trials. */
export const MISMATCH_P = 0.001;

/** How many units an arm has, and how many its share makes expect. */
export interface ArmRatio {
  readonly arm: string;
  readonly assigned: number;
  readonly reported: number;
  readonly expectedShare: number;
}

export interface Ratios {
  readonly arms: readonly ArmRatio[];
  /** p of Pearson's test that assigned units have the shares of the file; null for periods, and without a log of assignments. */
  readonly assignedP: number | null;
  /** p of the same test on units that reported; null for periods. */
  readonly reportedP: number | null;
  /** p of the test that assigned sessions report equally often in all arms; null without a log of assignments. */
  readonly reportingP: number | null;
  /** Share of assigned sessions that reported, by arm; null without a log of assignments. */
  readonly reportingShares: ReadonlyMap<string, number> | null;
  /** Whether one of the tests is an alarm: then a difference may come from who is missing. */
  readonly isMismatch: boolean;
}

/** Tests whether the arms have as many units as they should (sample-ratio mismatch: Fabijan and others, KDD 2019). */
export function sampleRatios(trial: Trial, { rows, assigned }: Enrolment): Ratios {
  const isByPeriod = trial.unit.kind === 'switchback';
  const unitOf = ({ session, viewer }: { session: string; viewer: string | null }): string =>
    trial.unit.kind === 'viewer' ? (viewer ?? session) : session;
  const count = (entries: readonly { arm: string; unit: string }[]): Map<string, number> =>
    new Map(
      [...groupBy(entries, ({ arm }) => arm)].map(([arm, of]) => [
        arm,
        new Set(of.map(({ unit }) => unit)).size,
      ]),
    );
  const assignedUnits = count(assigned.map((row) => ({ arm: row.arm, unit: unitOf(row) })));
  const reportedUnits = count(rows.map(({ arm, session }) => ({ arm, unit: unitOf(session) })));
  const arms = trial.arms.map(({ pathway, share }) => ({
    arm: pathway,
    assigned: assignedUnits.get(pathway) ?? 0,
    reported: reportedUnits.get(pathway) ?? 0,
    expectedShare: share,
  }));
  const assignedP = isByPeriod || assigned.length === 0 ? null : ratioP(arms, 'assigned');
  const reportedP = isByPeriod ? null : ratioP(arms, 'reported');
  const reporting = reportingOf(trial, { rows, assigned });
  const reportingP = reporting === null ? null : (sharesTest([...reporting.values()])?.p ?? null);
  return {
    arms,
    assignedP,
    reportedP,
    reportingP,
    reportingShares:
      reporting &&
      new Map([...reporting].map(([arm, { hits, others }]) => [arm, hits / Math.max(1, hits + others)])),
    isMismatch: [assignedP, reportedP, reportingP].some((p) => p !== null && p < MISMATCH_P),
  };
}

/** p of Pearson's chi-square test of counts against shares; null without counts. */
export function ratioP(arms: readonly ArmRatio[], of: 'assigned' | 'reported'): number | null {
  const total = arms.reduce((sum, arm) => sum + arm[of], 0);
  if (total === 0) return null;
  const shares = arms.reduce((sum, { expectedShare }) => sum + expectedShare, 0);
  const statistic = arms.reduce((sum, arm) => {
    const expected = (total * arm.expectedShare) / shares;
    return sum + (arm[of] - expected) ** 2 / expected;
  }, 0);
  return chiSquareTail(statistic, arms.length - 1);
}

/** Counts assigned sessions that reported and that did not, by arm. */
function reportingOf(
  { arms }: Trial,
  { rows, assigned }: Pick<Enrolment, 'rows' | 'assigned'>,
): Map<string, { hits: number; others: number }> | null {
  if (assigned.length === 0) return null;
  const reported = new Set(rows.map(({ session }) => session.session));
  const byArm = groupBy(assigned, ({ arm }) => arm);
  return new Map(
    arms.map(({ pathway }) => {
      const of = byArm.get(pathway) ?? [];
      const hits = of.filter(({ session }) => reported.has(session)).length;
      return [pathway, { hits, others: of.length - hits }];
    }),
  );
}
