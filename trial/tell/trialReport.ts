import { pick } from '../../src/shared/registry.ts';
import { defaultArm, otherArms, type Trial } from '../design/trialFile.ts';
import { trialMetrics } from '../design/trialMetrics.ts';
import { effectOf, judgeEffect, type Effect, type JudgedEffect } from './effects.ts';
import { enrol, type Enrolment, type LeftOut } from './enrol.ts';
import { naiveComparison, rodeH3, type NaiveComparison } from './naive.ts';
import { sampleRatios, type Ratios } from './ratios.ts';
import { sizeFor } from './samples.ts';
import type { TrialColumns } from './trialColumns.ts';

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
export function trialReport(trial: Trial, stored: TrialColumns): TrialReport {
  const enrolment = enrol(trial, stored);
  const { rows, atMs, leftOut } = enrolment;
  const metric = pick(trialMetrics, trial.primary.metric);
  const comparisons = otherArms(trial).map(({ pathway }) => ({
    arm: pathway,
    against: defaultArm(trial).pathway,
  }));
  return {
    trial,
    sessions: rows.length,
    leftOut,
    days: rows.length === 0 ? 0 : (atMs.at(-1)! - atMs[0]!) / DAY_MS,
    ratios: sampleRatios(enrolment),
    adherence: trial.arms.map(({ pathway }, place) => adherenceOf(enrolment, place, pathway)),
    primary: comparisons.map((comparison) => judgeEffect(enrolment, { metric, ...comparison })),
    further: trial.metrics.flatMap((id) =>
      comparisons.map((comparison) => effectOf(enrolment, { metric: pick(trialMetrics, id), ...comparison })),
    ),
    byClass: classesOf(enrolment).flatMap((networkClass) =>
      comparisons.map((comparison) => ({
        networkClass: stored.nameOf(networkClass),
        effect: effectOf(enrolment, { metric, networkClass, ...comparison }),
      })),
    ),
    naive: naiveComparison(enrolment, metric),
    sharedNetworks: trial.unit.kind === 'switchback' ? null : shareOfSharedNetworks(enrolment),
  };
}

function adherenceOf({ columns, rows, arms, stored }: Enrolment, place: number, arm: string): Adherence {
  const own = rows.filter((_, at) => arms[at] === place);
  const pathway = stored.numberOfName(arm);
  let [h3, tcp, rode, known, onPathway] = [0, 0, 0, 0, 0];
  for (const row of own) {
    h3 += columns.h3Bytes[row]!;
    tcp += columns.tcpBytes[row]!;
    if (rodeH3(columns, row)) rode += 1;
    if (columns.pathway[row] !== 0) known += 1;
    if (columns.pathway[row] === pathway) onPathway += 1;
  }
  return {
    arm,
    sessions: own.length,
    h3ByteShare: h3 + tcp > 0 ? h3 / (h3 + tcp) : null,
    h3SessionShare: own.length > 0 ? rode / own.length : null,
    onPathwayShare: known > 0 ? onPathway / known : null,
  };
}

/** Numbers of classes of networks, that with most sessions first; none where no class is known. */
function classesOf({ columns, rows }: Enrolment): number[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const number = columns.networkClass[row]!;
    if (number !== 0) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([number]) => number);
}

/** Sessions that begin so close to each other may meet at the bottleneck. */
const NEAR_MS = 15 * 60_000;

/** Goes through time once forwards and once backwards; of each network the latest session of each arm is known. */
function shareOfSharedNetworks({ trial, columns, rows, arms, atMs, networks }: Enrolment): number | null {
  const known = rows.filter((row) => columns.network[row] !== 0).length;
  if (known === 0) return null;
  const isShared = new Uint8Array(rows.length);
  for (const isForward of [true, false]) {
    const latest = trial.arms.map(() => new Float64Array(sizeFor(networks)).fill(Infinity));
    for (let count = 0; count < rows.length; count++) {
      const place = isForward ? count : rows.length - 1 - count;
      for (let arm = 0; arm < latest.length; arm++) {
        if (arm === arms[place]) latest[arm]![networks[place]!] = atMs[place]!;
        else if (Math.abs(latest[arm]![networks[place]!]! - atMs[place]!) <= NEAR_MS) isShared[place] = 1;
      }
    }
  }
  return isShared.reduce((sum, shared) => sum + shared, 0) / known;
}
