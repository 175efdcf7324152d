import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { sharesTest } from '../../src/analysis/statistics/countTests.ts';
import {
  directionOf,
  relevanceOf,
  verdictOf,
  type Judgement,
  type Verdict,
} from '../../src/analysis/statistics/verdict.ts';
import type { Trial } from '../design/trialFile.ts';
import type { TrialMetric } from '../design/trialMetrics.ts';
import { clusteredDifference, twoWayStandardError, type ClusteredDifference } from './clusteredDifference.ts';
import { sequenceInterval } from './confidenceSequence.ts';
import type { Enrolled } from './enrol.ts';
import { expectationOf } from './plannedError.ts';
import { quantileEffects, type QuantileEffect } from './quantileEffects.ts';
import { firstRows, numberNames, sampleOf, type Sample } from './samples.ts';

const Z_95 = 1.959964;
const DAY_MS = 86_400_000;
/** The interval holds in the limit of many clusters. With fewer than so many nothing is judged. */
export const MIN_CLUSTERS = 40;

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
}

/** The effect on the primary metric, judged. */
export interface JudgedEffect extends Effect {
  readonly looks: readonly TrialLook[];
  /** Day of the first look that shows a direction; null where none does. */
  readonly foundOnDay: number | null;
  readonly judgement: Judgement | null;
  readonly verdict: Verdict | null;
  /** Why there is no judgement, in a sentence; null where there is one. */
  readonly why: string | null;
}

interface Comparison {
  readonly arm: string;
  readonly against: string;
}

/** The rows of two arms that have a value, as columns. */
function comparedSample(
  rows: readonly Enrolled[],
  metric: TrialMetric,
  { arm, against }: Comparison,
): { sample: Sample; kept: readonly Enrolled[]; missing: Effect['missing'] } {
  const members = rows.filter((row) => row.arm === arm || row.arm === against);
  const valued = members.flatMap((row) => {
    const value = metric.of(row.session);
    return value === null ? [] : [{ row, value, isTreated: row.arm === arm, cluster: row.cluster }];
  });
  const counts = ([arm, against] as const).map((name) => {
    const all = members.filter((row) => row.arm === name).length;
    const hits = valued.filter(({ row }) => row.arm === name).length;
    return { hits, others: all - hits };
  });
  return {
    sample: sampleOf(valued),
    kept: valued.map(({ row }) => row),
    missing: {
      treated: counts[0]!.others,
      control: counts[1]!.others,
      p: sharesTest(counts)?.p ?? null,
    },
  };
}

const plainInterval = (estimate: ClusteredDifference | null): Interval | null =>
  estimate && [
    estimate.difference - Z_95 * estimate.standardError,
    estimate.difference + Z_95 * estimate.standardError,
  ];

/** Estimates the effect of an arm by intention to treat: as assigned, whatever was ridden. */
export function effectOf(rows: readonly Enrolled[], metric: TrialMetric, comparison: Comparison): Effect {
  const { sample, kept, missing } = comparedSample(rows, metric, comparison);
  return { ...comparison, metric, missing, ...estimated(sample, kept) };
}

function estimated(
  sample: Sample,
  kept: readonly Enrolled[],
): Pick<Effect, 'estimate' | 'plain' | 'twoWayError' | 'quantiles'> {
  const estimate = clusteredDifference(sample);
  const hasNetworks = kept.some(({ session }) => session.network !== null);
  const numberOf = numberNames();
  const networks = Int32Array.from(kept, ({ session }) => numberOf(session.network ?? session.session));
  return {
    estimate,
    plain: plainInterval(estimate),
    twoWayError: hasNetworks ? twoWayStandardError(sample, networks) : null,
    quantiles: quantileEffects(sample),
  };
}

/** Judges the effect on the primary metric by the interval that holds at every look. `startMs`: the first session of the trial. */
export function judgeEffect(
  trial: Trial,
  rows: readonly Enrolled[],
  { metric, startMs, arm, against }: Comparison & { readonly metric: TrialMetric; readonly startMs: number },
): JudgedEffect {
  const { sample, kept, missing } = comparedSample(rows, metric, { arm, against });
  const effect = { metric, arm, against, missing, ...estimated(sample, kept) };
  const looks = looksAt(
    trial,
    sample,
    kept.map(({ atMs }) => (atMs - startMs) / DAY_MS),
  );
  const last = looks.at(-1);
  const found = looks.find(({ interval: [min, max] }) => min > 0 || max < 0);
  if (last === undefined)
    return {
      ...effect,
      looks,
      foundOnDay: null,
      judgement: null,
      verdict: null,
      why: `Fewer than ${MIN_CLUSTERS} ${trial.unit.kind === 'switchback' ? 'pairs of periods' : 'viewers'} have a value: the interval needs more.`,
    };
  const judgement = judgementOf(last, trial);
  const verdict = verdictOf(judgement, metric.better);
  return { ...effect, looks, foundOnDay: found?.day ?? null, judgement, verdict, why: null };
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
export function looksAt(trial: Trial, sample: Sample, days: readonly number[]): TrialLook[] {
  const { stopping } = trial;
  const { standardError: plannedError, alpha } = expectationOf(trial);
  const end = days.at(-1) ?? 0;
  const looks: TrialLook[] = [];
  for (let look = 1; look <= stopping.looks; look++) {
    const until = (look * stopping.days) / stopping.looks;
    const count = countUntil(days, until);
    const estimate = count === 0 ? null : clusteredDifference(firstRows(sample, count));
    if (estimate && estimate.clusters >= MIN_CLUSTERS) {
      const interval = sequenceInterval(estimate, { plannedError, alpha });
      looks.push({ day: Math.min(until, end), difference: estimate.difference, interval });
    }
    if (until >= end) break;
  }
  return looks;
}

/** How many of ascending days are at most a day. */
function countUntil(days: readonly number[], until: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}
