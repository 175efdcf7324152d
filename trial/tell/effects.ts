import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import {
  directionOf,
  relevanceOf,
  verdictOf,
  type Judgement,
  type Verdict,
} from '../../src/analysis/statistics/verdict.ts';
import type { Trial } from '../design/trialFile.ts';
import type { TrialMetric } from '../design/trialMetrics.ts';
import {
  clusteredDifference,
  differenceP,
  twoWayStandardError,
  type ClusteredDifference,
} from './clusteredDifference.ts';
import { sequenceInterval } from './confidenceSequence.ts';
import type { Enrolment } from './enrol.ts';
import { expectationOf } from './plannedError.ts';
import { quantileEffects, type QuantileEffect } from './quantileEffects.ts';
import { firstRows, type Sample } from './samples.ts';
import { sessionCursor } from './trialColumns.ts';

const Z_95 = 1.959964;
const DAY_MS = 86_400_000;
/** The interval holds in the limit of many clusters. With fewer than so many in one of the arms nothing is judged. */
export const MIN_CLUSTERS = 40;
/** Nor where so few clusters make the whole spread: that of the others is not seen yet. */
const MIN_EFFECTIVE_CLUSTERS = 5;

/** What one arm did against the default, in one metric. */
export interface Effect {
  readonly metric: TrialMetric;
  readonly arm: string;
  readonly against: string;
  /** null where an arm has no values. */
  readonly estimate: ClusteredDifference | null;
  /** 95 % interval, as if nobody had looked before. */
  readonly plain: Interval | null;
  /** Standard error with viewers and networks as clusters; null where networks are not known. */
  readonly twoWayError: number | null;
  readonly quantiles: readonly QuantileEffect[];
  /** Sessions without a value, by arm, and p of the test that the shares are equal. */
  readonly missing: { readonly treated: number; readonly control: number; readonly p: number | null };
}

/** The result at one look. */
export interface TrialLook {
  /** End of the data that were looked at, in days from the first session. */
  readonly day: number;
  readonly difference: number;
  /** The interval that holds over all looks together. */
  readonly interval: Interval;
  readonly rows: ClusteredDifference['rows'];
  readonly clusters: number;
}

/** The effect on the primary metric, judged. */
export interface JudgedEffect extends Effect {
  readonly looks: readonly TrialLook[];
  /** Sessions with a value that began after the last look. */
  readonly unjudged: number;
  /** Day of the first look that shows a direction; null where none does. */
  readonly foundOnDay: number | null;
  readonly judgement: Judgement | null;
  readonly verdict: Verdict | null;
  /** Why there is no judgement, in a sentence; null where there is one. */
  readonly why: string | null;
}

/** What is compared: an arm with another, in a metric, of all sessions or of one class of networks. */
export interface Comparison {
  readonly metric: TrialMetric;
  readonly arm: string;
  readonly against: string;
  /** Number of the class; absent: all. */
  readonly networkClass?: number;
}

/** The sessions of two arms that have a value. */
interface Compared {
  readonly sample: Sample;
  /** Their places in the enrolment. */
  readonly places: Int32Array;
  readonly missing: Effect['missing'];
}

function compare(enrolment: Enrolment, { metric, arm, against, networkClass }: Comparison): Compared {
  const { trial, columns, rows, arms, clusters } = enrolment;
  const [treated, control] = [arm, against].map((name) =>
    trial.arms.findIndex(({ pathway }) => pathway === name),
  ) as [number, number];
  const session = sessionCursor(columns);
  const values = new Float64Array(rows.length);
  const [isTreated, places] = [new Uint8Array(rows.length), new Int32Array(rows.length)];
  const missing = { values: new Float64Array(rows.length), isTreated: new Uint8Array(rows.length) };
  const missingClusters = new Int32Array(rows.length);
  const counts = { treated: 0, control: 0 };
  let [size, all] = [0, 0];
  for (let place = 0; place < rows.length; place++) {
    if (arms[place] !== treated && arms[place] !== control) continue;
    session.row = rows[place]!;
    if (networkClass !== undefined && columns.networkClass[session.row] !== networkClass) continue;
    const value = metric.of(session);
    const isOfTreated = arms[place] === treated ? 1 : 0;
    missing.values[all] = value === null ? 1 : 0;
    missing.isTreated[all] = isOfTreated;
    missingClusters[all++] = clusters[place]!;
    if (value === null) counts[isOfTreated ? 'treated' : 'control'] += 1;
    else {
      values[size] = value;
      isTreated[size] = isOfTreated;
      places[size++] = place;
    }
  }
  const kept = places.subarray(0, size);
  return {
    sample: {
      values: values.subarray(0, size),
      isTreated: isTreated.subarray(0, size),
      clusters: kept.map((place) => clusters[place]!),
    },
    places: kept,
    missing: { ...counts, p: differenceP(firstRows({ ...missing, clusters: missingClusters }, all)) },
  };
}

const plainInterval = (estimate: ClusteredDifference | null): Interval | null =>
  estimate && [
    estimate.difference - Z_95 * estimate.standardError,
    estimate.difference + Z_95 * estimate.standardError,
  ];

/** Estimates the effect of an arm by intention to treat: as assigned, whatever was ridden. */
export const effectOf = (enrolment: Enrolment, comparison: Comparison): Effect =>
  effectIn(enrolment, comparison, compare(enrolment, comparison));

function effectIn(
  { columns, rows, networks, pairs }: Enrolment,
  { metric, arm, against }: Comparison,
  { sample, places, missing }: Compared,
): Effect {
  const estimate = clusteredDifference(sample);
  const hasNetworks = places.some((place) => columns.network[rows[place]!] !== 0);
  const numbersOf = (of: Int32Array): Int32Array => places.map((place) => of[place]!);
  return {
    ...{ metric, arm, against, missing, estimate },
    plain: plainInterval(estimate),
    twoWayError:
      estimate && hasNetworks
        ? twoWayStandardError(sample, estimate, { networks: numbersOf(networks), pairs: numbersOf(pairs) })
        : null,
    quantiles: quantileEffects(sample),
  };
}

/** Judges the effect on the primary metric by the interval that holds at every look. */
export function judgeEffect(enrolment: Enrolment, comparison: Comparison): JudgedEffect {
  const { trial, atMs } = enrolment;
  const compared = compare(enrolment, comparison);
  const effect = effectIn(enrolment, comparison, compared);
  const days = new Float64Array(compared.places.length);
  for (let at = 0; at < days.length; at++) days[at] = (atMs[compared.places[at]!]! - atMs[0]!) / DAY_MS;
  const looks = looksAt(trial, compared.sample, days);
  const last = looks.at(-1);
  const unjudged = compared.places.length - (last ? last.rows.treated + last.rows.control : 0);
  const found = looks.find(({ interval: [min, max] }) => min > 0 || max < 0);
  if (last === undefined)
    return {
      ...effect,
      looks,
      unjudged,
      foundOnDay: null,
      judgement: null,
      verdict: null,
      why: whyNoLook(effect.estimate, trial),
    };
  const judgement = judgementOf(last, trial);
  const verdict = verdictOf(judgement, comparison.metric.better);
  return { ...effect, looks, unjudged, foundOnDay: found?.day ?? null, judgement, verdict, why: null };
}

/** Whether so many clusters of each arm show a spread that the interval can hold. */
const isEnough = ({ clustersOf, effectiveClusters }: ClusteredDifference): boolean =>
  Math.min(clustersOf.treated, clustersOf.control) >= MIN_CLUSTERS &&
  effectiveClusters >= MIN_EFFECTIVE_CLUSTERS;

function whyNoLook(estimate: ClusteredDifference | null, { unit }: Trial): string {
  const units = unit.kind === 'switchback' ? 'pairs of periods' : 'viewers';
  if (estimate === null || Math.min(estimate.clustersOf.treated, estimate.clustersOf.control) < MIN_CLUSTERS)
    return `An arm has fewer than ${MIN_CLUSTERS} ${units} with a value: the interval needs more.`;
  if (estimate.effectiveClusters === 0)
    return 'All sessions of an arm have one value: nothing shows how they spread.';
  return `A few ${units} make nearly all of the spread: the interval needs more of them.`;
}

/** Both statements of a verdict, from one interval that holds at every look: it is the test of both. */
export function judgementOf(
  { difference, interval }: Pick<TrialLook, 'difference' | 'interval'>,
  trial: Trial,
): Judgement {
  const { alpha } = trial.stopping;
  const byInterval = { interval, alpha };
  return {
    direction: directionOf({ ...byInterval, rankBalance: Math.sign(difference), holmP: 0 }),
    relevance: relevanceOf({ ...byInterval, margin: trial.primary.margin, insideP: 0, beyondP: 0 }),
  };
}

/** Looks at a sample as the file declares it: evenly over the days, up to the end of the data. `days` ascend. */
export function looksAt(trial: Trial, sample: Sample, days: Float64Array): TrialLook[] {
  const { stopping } = trial;
  const { standardError: plannedError, alpha } = expectationOf(trial);
  const end = days.at(-1) ?? 0;
  const looks: TrialLook[] = [];
  for (let look = 1; look <= stopping.looks; look++) {
    const until = (look * stopping.days) / stopping.looks;
    const count = countUntil(days, until);
    const estimate = count === 0 ? null : clusteredDifference(firstRows(sample, count));
    if (estimate && isEnough(estimate)) {
      const interval = sequenceInterval(estimate, { plannedError, alpha });
      const { difference, rows, clusters } = estimate;
      looks.push({ day: Math.min(until, end), difference, interval, rows, clusters });
    }
    if (until >= end) break;
  }
  return looks;
}

/** How many of ascending days are at most a day. */
function countUntil(days: Float64Array, until: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}
