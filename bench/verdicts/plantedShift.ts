import { equalArms } from './equalArms.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';
import type { CampaignPlan } from '../../experiment/plan/plan.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';
import type { SessionSummary } from '../../src/report/sessionSummary.ts';

/** The arm that has more of the primary metric, and how much: both as shares of the mean over all sessions. */
export interface Planted {
  readonly arm: string;
  readonly shift: number;
  /** Standard deviation of a pair's difference. */
  readonly deviation: number;
}

/** A campaign of equal arms, but for its primary metric: that is the pair's own level, noise, and the shift in one arm. */
export function plantedShift(
  plan: CampaignPlan,
  pool: readonly (readonly SessionSummary[])[],
  { arm, shift, deviation, seed }: Planted & { seed: number },
): ReportSource {
  const source = equalArms(plan, pool, seed);
  const { primary } = plan.campaign;
  const levels = new Map(pool.map((plays) => [plays[0]!.design.pair, levelOf(plays, primary)]));
  const mean = meanLevel(pool, primary);
  // Both arms of a pair vary, so each has a part of the difference's variance.
  const noise = seededNormals(seed)(source.sessions.length).map(
    (normal) => (mean * deviation * normal) / Math.SQRT2,
  );
  const sessions = source.sessions.map((session, index) => {
    const more = session.design.arm.endsWith(`/${arm}`) ? mean * shift : 0;
    const value = levels.get(session.design.pair)! + more + noise[index]!;
    return { ...session, values: { ...session.values, [primary]: value } };
  });
  return { ...source, sessions };
}

/** What shift and deviation are shares of. */
export const meanLevel = (pool: readonly (readonly SessionSummary[])[], metric: string): number =>
  pool.reduce((sum, plays) => sum + levelOf(plays, metric), 0) / pool.length;

const levelOf = (plays: readonly SessionSummary[], metric: string): number =>
  plays.reduce((sum, { values }) => sum + (values[metric] ?? 0), 0) / plays.length;
