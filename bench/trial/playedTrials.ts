import { mean } from '../../src/analysis/statistics/summaries.ts';
import { upperShare } from '../../src/analysis/statistics/rareEvents.ts';
import { pick, type Entry } from '../../src/shared/registry.ts';
import { startingTrial } from '../../trial/design/startingTrial.ts';
import type { Trial } from '../../trial/design/trialFile.ts';
import { trialMetrics } from '../../trial/design/trialMetrics.ts';
import type { Scenario } from '../../trial/simulate/scenarios.ts';
import { simulateTrial } from '../../trial/simulate/simulateTrial.ts';
import { judgeEffect, type JudgedEffect } from '../../trial/tell/effects.ts';
import { enrol } from '../../trial/tell/enrol.ts';
import { naiveComparison, type NaiveComparison } from '../../trial/tell/naive.ts';
import { sampleRatios } from '../../trial/tell/ratios.ts';
import { columnsOf } from '../../trial/tell/trialColumns.ts';
import type { Figure } from '../figure.ts';

/** Trials of one design with one truth. */
export interface Setting extends Entry {
  readonly scenario: Scenario;
  readonly unit: Trial['unit'];
  readonly sessions: number;
  /** Length of the trial; it is looked at each day. */
  readonly days: number;
  /** Makes the figures of its trials. */
  figures(trials: readonly PlayedTrial[], design: Trial): Figure[];
}

/** What one simulated trial says, and what is true. */
export interface PlayedTrial {
  readonly judged: JudgedEffect;
  readonly naive: NaiveComparison;
  /** Difference in the primary metric if all its sessions had one arm, less if all had the other. */
  readonly truth: number;
  readonly isMismatch: boolean;
}

const SALT = 'salt of the trial bench';
const metric = pick(trialMetrics, 'rebuffer-rate');
/** Trials from which a design takes what it expects, as a team takes it from the weeks before. Their seeds are no others'. */
const BEFORE = 10;
const FIRST_SEED_BEFORE = 1_000_000;

/** Makes the design of a setting: what it expects is what trials before had. */
export function designOf(setting: Setting): Trial {
  const { unit, days, sessions } = setting;
  const usual = startingTrial(SALT);
  const bare = { ...usual, unit, stopping: { days, looks: days, alpha: 0.05 } };
  const before = Array.from({ length: BEFORE }, (_, index) => {
    const { data } = simulateTrial(bare, setting.scenario, { sessions, seed: FIRST_SEED_BEFORE + index });
    return data.sessions.flatMap((session) => metric.of(session) ?? []);
  });
  const values = before.flat();
  const middle = mean(values);
  const spread = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  const sessionsPerDay = values.length / BEFORE / days;
  return { ...bare, expected: { ...usual.expected, sessionsPerDay, spread, periodSpread: 0.3 } };
}

/** Plays a trial: viewers, assignment, beacons and statistics of the product, without files. */
export function playTrial({ scenario, sessions }: Setting, design: Trial, seed: number): PlayedTrial {
  const trial = { ...design, salt: `${SALT} ${seed}` };
  const { data, truth } = simulateTrial(trial, scenario, { sessions, seed });
  const enrolment = enrol(trial, columnsOf(data));
  return {
    judged: judgeEffect(enrolment, { metric, arm: 'h3', against: 'tcp' }),
    naive: naiveComparison(enrolment, metric),
    truth: truth[metric.id]!,
    isMismatch: sampleRatios(enrolment).isMismatch,
  };
}

type Asked = Pick<Figure, 'id' | 'label'> & Partial<Pick<Figure, 'goalMax' | 'goalMin'>>;

/** Makes the figure of a share of trials, %, with the interval of Clopper and Pearson. */
export function shareFigure(
  trials: readonly PlayedTrial[],
  { goalMax = null, ...asked }: Asked,
  is: (trial: PlayedTrial) => boolean,
): Figure {
  const [count, hits] = [trials.length, trials.filter(is).length];
  const ends = [1 - upperShare(count - hits, count, 0.025), upperShare(hits, count, 0.025)] as const;
  return {
    ...{ ...asked, goalMax, unit: '%' },
    value: (100 * hits) / count,
    interval: [100 * ends[0], 100 * ends[1]],
  };
}

/** Makes the figure of a mean over trials, percentage points, with its normal interval. */
export function meanFigure(
  trials: readonly PlayedTrial[],
  { goalMax = null, ...asked }: Asked,
  of: (trial: PlayedTrial) => number,
): Figure {
  const values = trials.map(of);
  const value = mean(values);
  const error = Math.sqrt(mean(values.map((each) => (each - value) ** 2)) / Math.max(1, values.length - 1));
  return {
    ...{ ...asked, goalMax, unit: 'pp', value },
    interval: [value - 1.96 * error, value + 1.96 * error],
  };
}

export const isAlarm = ({ judged }: PlayedTrial): boolean => judged.foundOnDay !== null;

/** Tells whether the interval of the last look holds the truth; one without a look claims nothing. */
export function holdsTruth({ judged, truth }: PlayedTrial): boolean {
  const [min, max] = judged.looks.at(-1)?.interval ?? [-Infinity, Infinity];
  return min <= truth && truth <= max;
}

/** Tells whether the plain 95 % interval at the end holds the truth. */
export function plainHoldsTruth({ judged, truth }: PlayedTrial): boolean {
  const [min, max] = judged.plain!;
  return min <= truth && truth <= max;
}

export const errorOf = ({ judged, truth }: PlayedTrial): number => judged.estimate!.difference - truth;
