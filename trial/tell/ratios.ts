import { chiSquareTail } from '../../src/analysis/statistics/countTests.ts';
import { differenceP } from './clusteredDifference.ts';
import { clustersOf, NO_ARM, type Enrolment } from './enrol.ts';

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
  /**
   * p of the test that assigned sessions report equally often in all arms, with what was drawn together as clusters; of more than two
   * arms the smallest against the default, times their number. null without a log of assignments.
   */
  readonly reportingP: number | null;
  /** Share of assigned sessions that reported, by arm; null without a log of assignments. */
  readonly reportingShares: ReadonlyMap<string, number> | null;
  /** Whether one of the tests is an alarm: then a difference may come from who is missing. */
  readonly isMismatch: boolean;
}

/** Tests whether the arms have as many units as they should (sample-ratio mismatch: Fabijan and others, KDD 2019). */
export function sampleRatios(enrolment: Enrolment): Ratios {
  const { trial, columns, assigned } = enrolment;
  const isByPeriod = trial.unit.kind === 'switchback';
  const counts = {
    assigned: countUnits(enrolment, assigned, columns.assignedViewer),
    reported: countUnits(enrolment, enrolment, columns.viewer),
  };
  const arms = trial.arms.map(({ pathway, share }, place) => ({
    arm: pathway,
    assigned: counts.assigned[place]!,
    reported: counts.reported[place]!,
    expectedShare: share,
  }));
  const assignedP = isByPeriod || assigned.rows.length === 0 ? null : ratioP(arms, 'assigned');
  const reportedP = isByPeriod ? null : ratioP(arms, 'reported');
  const reporting = reportingOf(enrolment);
  const reportingP = reporting?.p ?? null;
  return {
    arms,
    assignedP,
    reportedP,
    reportingP,
    reportingShares: reporting?.shares ?? null,
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

type Drawn = Enrolment['assigned'];

/** Counts what was drawn, sessions or viewers, by the place of the arm in the file. */
function countUnits({ trial, stored }: Enrolment, { rows, arms }: Drawn, viewers: Int32Array): number[] {
  const counts = trial.arms.map(() => 0);
  /** Of each viewer a bit for each arm. */
  const seen = new Uint8Array(stored.viewerCount() + 1);
  for (let place = 0; place < rows.length; place++) {
    const arm = arms[place]!;
    if (arm === NO_ARM) continue;
    const viewer = trial.unit.kind === 'viewer' ? viewers[rows[place]!]! : 0;
    if (viewer !== 0 && (seen[viewer]! & (1 << arm)) !== 0) continue;
    seen[viewer]! |= 1 << arm;
    counts[arm]! += 1;
  }
  return counts;
}

/** How often assigned sessions reported, by arm, and p of the test that it is alike; null without a log of assignments. */
function reportingOf(
  enrolment: Enrolment,
): { readonly shares: ReadonlyMap<string, number>; readonly p: number | null } | null {
  const { trial, stored, columns, rows, assigned } = enrolment;
  if (assigned.rows.length === 0) return null;
  const isCounted = new Uint8Array(columns.isReported.length);
  for (const row of rows) isCounted[row] = 1;
  const values = Float64Array.from(assigned.rows, (row) => isCounted[row]!);
  const clusters = clustersOf(trial, stored, {
    rows: assigned.rows,
    atMs: Float64Array.from(assigned.rows, (row) => columns.assignedMs[row]!),
    viewers: columns.assignedViewer,
  });
  const control = trial.arms.findIndex(({ pathway }) => pathway === trial.default);
  const others = trial.arms.flatMap((_, arm) => (arm === control ? [] : [arm]));
  const ps = others.flatMap((treated) => {
    const places = Int32Array.from(clusters.keys()).filter((place) =>
      [treated, control].includes(assigned.arms[place]!),
    );
    return (
      differenceP({
        values: Float64Array.from(places, (place) => values[place]!),
        isTreated: Uint8Array.from(places, (place) => (assigned.arms[place] === treated ? 1 : 0)),
        clusters: places.map((place) => clusters[place]!),
      }) ?? []
    );
  });
  return {
    shares: sharesOf(enrolment, values),
    p: ps.length === 0 ? null : Math.min(1, others.length * Math.min(...ps)),
  };
}

function sharesOf({ trial, assigned }: Enrolment, values: Float64Array): ReadonlyMap<string, number> {
  const sums = trial.arms.map(() => ({ reported: 0, all: 0 }));
  for (const [place, value] of values.entries()) {
    const sum = sums[assigned.arms[place]!];
    if (!sum) continue;
    sum.reported += value;
    sum.all += 1;
  }
  return new Map(
    trial.arms.map(({ pathway }, arm) => [pathway, sums[arm]!.reported / Math.max(1, sums[arm]!.all)]),
  );
}
