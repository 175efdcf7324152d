import { groupBy } from '../../src/shared/groupBy.ts';
import { pick } from '../../src/shared/registry.ts';
import { defaultArm, otherArms, type Trial } from '../design/trialFile.ts';
import { trialMetrics } from '../design/trialMetrics.ts';
import { effectOf, judgeEffect, type Effect, type JudgedEffect } from './effects.ts';
import { enrol, type Enrolled, type LeftOut, type TrialData } from './enrol.ts';
import { naiveComparison, rodeH3, type NaiveComparison } from './naive.ts';
import { sampleRatios, type Ratios } from './ratios.ts';

/** What the sessions of an arm really rode. */
export interface Adherence {
  readonly arm: string;
  readonly sessions: number;
  /** Share of media bytes over HTTP/3; null without bytes. */
  readonly h3ByteShare: number | null;
  /** Share of sessions with most bytes over HTTP/3; null without sessions. */
  readonly h3SessionShare: number | null;
  /** Share of sessions with most bytes from the pathway of the arm, of those whose pathway is known; null where none is. */
  readonly onPathwayShare: number | null;
}

/** The results of a trial as data. */
export interface TrialReport {
  readonly trial: Trial;
  readonly sessions: number;
  readonly leftOut: LeftOut;
  /** Days from the first to the last session that counts. */
  readonly days: number;
  readonly ratios: Ratios;
  readonly adherence: readonly Adherence[];
  /** The primary metric, one for each arm but the default. */
  readonly primary: readonly JudgedEffect[];
  readonly further: readonly Effect[];
  /** Effects on the primary metric by class of network; description only. */
  readonly byClass: readonly { readonly networkClass: string; readonly effect: Effect }[];
  readonly naive: NaiveComparison;
  /** Share of sessions whose network had a session of another arm within a quarter of an hour; null without networks. */
  readonly sharedNetworks: number | null;
}

const DAY_MS = 86_400_000;

/** Makes the report of a trial: the same data give the same report. */
export function trialReport(trial: Trial, data: TrialData): TrialReport {
  const enrolment = enrol(trial, data);
  const { rows, leftOut } = enrolment;
  const startMs = rows[0]?.atMs ?? 0;
  const metric = pick(trialMetrics, trial.primary.metric);
  const comparisons = otherArms(trial).map(({ pathway }) => ({
    arm: pathway,
    against: defaultArm(trial).pathway,
  }));
  return {
    trial,
    sessions: rows.length,
    leftOut,
    days: rows.length === 0 ? 0 : (rows.at(-1)!.atMs - startMs) / DAY_MS,
    ratios: sampleRatios(trial, enrolment),
    adherence: trial.arms.map(({ pathway }) => adherenceOf(pathway, rows)),
    primary: comparisons.map((comparison) => judgeEffect(trial, rows, { metric, startMs, ...comparison })),
    further: trial.metrics.flatMap((id) =>
      comparisons.map((comparison) => effectOf(rows, pick(trialMetrics, id), comparison)),
    ),
    byClass: classesOf(rows).flatMap(([networkClass, of]) =>
      comparisons.map((comparison) => ({ networkClass, effect: effectOf(of, metric, comparison) })),
    ),
    naive: naiveComparison(trial, rows, metric),
    sharedNetworks: trial.unit.kind === 'switchback' ? null : shareOfSharedNetworks(rows),
  };
}

function adherenceOf(arm: string, rows: readonly Enrolled[]): Adherence {
  const own = rows.filter((row) => row.arm === arm);
  const h3 = own.reduce((sum, { session }) => sum + session.h3Bytes, 0);
  const tcp = own.reduce((sum, { session }) => sum + session.tcpBytes, 0);
  const known = own.flatMap(({ session }) => session.pathway ?? []);
  return {
    arm,
    sessions: own.length,
    h3ByteShare: h3 + tcp > 0 ? h3 / (h3 + tcp) : null,
    h3SessionShare: own.length > 0 ? own.filter(rodeH3).length / own.length : null,
    onPathwayShare:
      known.length > 0 ? known.filter((pathway) => pathway === arm).length / known.length : null,
  };
}

/** Sessions by the class of their network, the largest class first; none where no class is known. */
function classesOf(rows: readonly Enrolled[]): [string, Enrolled[]][] {
  return [...groupBy(rows, ({ session }) => session.networkClass ?? '')]
    .filter(([name]) => name !== '')
    .sort(([, one], [, other]) => other.length - one.length);
}

/** Sessions that begin so close to each other may meet at the bottleneck. */
const NEAR_MS = 15 * 60_000;

function shareOfSharedNetworks(rows: readonly Enrolled[]): number | null {
  const known = rows.filter(({ session }) => session.network !== null);
  if (known.length === 0) return null;
  let shared = 0;
  for (const of of groupBy(known, ({ session }) => session.network).values())
    for (const [at, row] of of.entries()) if (hasOtherNear(of, at, row)) shared += 1;
  return shared / known.length;
}

/** Tells whether a session of another arm began near in time; `of` ascends in time. */
function hasOtherNear(of: readonly Enrolled[], at: number, { arm, atMs }: Enrolled): boolean {
  for (const step of [-1, 1])
    for (let near = at + step; ; near += step) {
      const other = of[near];
      if (other === undefined || Math.abs(other.atMs - atMs) > NEAR_MS) break;
      if (other.arm !== arm) return true;
    }
  return false;
}
