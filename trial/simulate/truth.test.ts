// Trials with known truth, many times: what the report claims is right as often as it says. PITWALL_FULL=1 plays more of them.
import { describe, expect, it } from 'vitest';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import { pick } from '../../src/shared/registry.ts';
import { startingTrial } from '../design/startingTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import { trialMetrics } from '../design/trialMetrics.ts';
import { judgeEffect, type JudgedEffect } from '../tell/effects.ts';
import { enrol } from '../tell/enrol.ts';
import { naiveComparison } from '../tell/naive.ts';
import { trialPower } from '../tell/power.ts';
import { sampleRatios, type Ratios } from '../tell/ratios.ts';
import { columnsOf } from '../tell/trialColumns.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { simulateTrial } from './simulateTrial.ts';

const isFull = process.env['PITWALL_FULL'] === '1';
/** So many trials of a setting, in a sample and in full. */
const times = (sample: number, full = 500): number => (isFull ? full : sample);

const SALT = 'salt of the truth tests';
const metric = pick(trialMetrics, 'rebuffer-rate');

interface Setting {
  readonly scenario: Scenario;
  readonly sessions: number;
  readonly days: number;
  readonly unit?: Trial['unit'];
  readonly trials: number;
  /** Standard deviation of the metric in this scenario, percentage points. */
  readonly spread?: number;
}

const trialOf = ({ sessions, days, unit = { kind: 'session' }, spread = 2.9 }: Setting): Trial => {
  const usual = startingTrial(SALT);
  return {
    ...usual,
    unit,
    stopping: { days, looks: days, alpha: 0.05 },
    // 97 % of the beacons arrive, and 97 % of the viewers see a frame.
    expected: { ...usual.expected, sessionsPerDay: (0.94 * sessions) / days, spread, periodSpread: 0.3 },
  };
};

interface Played {
  readonly effect: JudgedEffect;
  readonly naive: number;
  readonly truth: number;
  readonly ratios: Ratios;
}

function playTrials(setting: Setting): Played[] {
  const usual = trialOf(setting);
  return Array.from({ length: setting.trials }, (_, index) => {
    const trial = { ...usual, salt: `${SALT} ${index}` };
    const seed = index + 1;
    const { data, truth } = simulateTrial(trial, setting.scenario, { sessions: setting.sessions, seed });
    const enrolment = enrol(trial, columnsOf(data));
    return {
      effect: judgeEffect(enrolment, { metric, arm: 'h3', against: 'tcp' }),
      naive: naiveComparison(enrolment, metric).estimate!.difference,
      truth: truth[metric.id]!,
      ratios: sampleRatios(enrolment),
    };
  });
}

const shareOf = (played: readonly Played[], is: (each: Played) => boolean): number =>
  played.filter(is).length / played.length;
const isAlarm = ({ effect }: Played): boolean => effect.foundOnDay !== null;
const holds = ({ effect, truth }: Played): boolean => {
  const last = effect.looks.at(-1);
  // Without a verdict nothing is claimed.
  if (!last) return true;
  const [min, max] = last.interval;
  return min <= truth && truth <= max;
};
const plainHolds = ({ effect: { plain }, truth }: Played): boolean =>
  plain![0] <= truth && truth <= plain![1];
const differenceOf = ({ effect }: Played): number => effect.estimate!.difference;

const named = (id: string): Scenario => pick(scenarios, id);

describe.each(['session', 'viewer'] as const)('30 daily looks at two equal arms, by %s', (kind) => {
  const played = playTrials({
    scenario: named('aa'),
    sessions: isFull ? 3000 : 900,
    days: 30,
    unit: { kind },
    trials: times(25),
  });

  it('raise false alarms in at most 5 % of trials', () =>
    expect(shareOf(played, isAlarm)).toBeLessThanOrEqual(0.05));

  it('hold the truth in at least 93 % of trials, as the plain interval does at the end', () => {
    expect(shareOf(played, holds)).toBeGreaterThanOrEqual(0.93);
    // A sample of trials says nothing of a share near 95 %.
    if (isFull) expect(shareOf(played, plainHolds)).toBeGreaterThanOrEqual(0.93);
  });

  it('are called different by a plain interval that is looked at every day, more often than by ours', () => {
    const peeking = shareOf(played, ({ effect }) =>
      effect.looks.some(({ difference, interval }) => {
        const half = (interval[1] - interval[0]) / 2;
        return Math.abs(difference) > 0.5 * half;
      }),
    );
    expect(peeking).toBeGreaterThan(shareOf(played, isAlarm));
  });
});

describe('a planted effect', () => {
  const setting: Setting = {
    scenario: { ...named('effect'), stallFactor: 0.65 },
    sessions: isFull ? 6000 : 4000,
    days: 14,
    trials: times(15),
    spread: 2.75,
  };
  const played = playTrials(setting);
  const truth = mean(played.map((each) => each.truth));

  it('is found with the power that "power" says', () => {
    const usual = trialOf(setting);
    const { chanceAtMargin } = trialPower({
      ...usual,
      primary: { ...usual.primary, margin: Math.abs(truth) },
    });
    const found = shareOf(
      played,
      ({ effect }) => effect.foundOnDay !== null && differenceOf({ effect } as Played) < 0,
    );
    const error = Math.sqrt((chanceAtMargin * (1 - chanceAtMargin)) / played.length);
    expect(chanceAtMargin).toBeGreaterThan(0.5);
    expect(Math.abs(found - chanceAtMargin)).toBeLessThan(Math.max(3 * error, 0.05));
  });

  it('is held by the interval, and the estimate is right on average', () => {
    expect(shareOf(played, holds)).toBeGreaterThanOrEqual(0.93);
    expect(Math.abs(mean(played.map(differenceOf)) - truth)).toBeLessThan(0.25 * Math.abs(truth));
  });
});

describe('lost beacons', () => {
  const setting = { sessions: 12_000, days: 14, trials: times(2, 30) };
  const lost = playTrials({ ...setting, scenario: named('loss') });
  const equal = playTrials({ ...setting, scenario: named('aa'), trials: times(1, 30) });

  it('are an alarm when one arm loses 2 % more, at 12,000 assigned sessions; equal loss is none', () => {
    expect(shareOf(lost, ({ ratios }) => ratios.isMismatch)).toBeGreaterThanOrEqual(0.8);
    expect(shareOf(equal, ({ ratios }) => ratios.isMismatch)).toBeLessThanOrEqual(0.05);
  });
});

describe('UDP blocked on poor networks, and no effect', () => {
  const played = playTrials({
    scenario: named('selection'),
    sessions: 4000,
    days: 14,
    trials: times(5, 200),
  });

  it('make the naive comparison wrong by about half a percentage point, always in favour of h3', () => {
    const naive = played.map((each) => each.naive);
    expect(mean(naive)).toBeGreaterThan(-0.8);
    expect(mean(naive)).toBeLessThan(-0.35);
    expect(naive.every((each) => each < -0.1)).toBe(true);
  });

  it('leave the comparison as assigned right', () => {
    expect(Math.abs(mean(played.map(differenceOf)))).toBeLessThan(isFull ? 0.02 : 0.12);
    expect(shareOf(played, holds)).toBeGreaterThanOrEqual(0.93);
    expect(shareOf(played, isAlarm)).toBeLessThanOrEqual(0.05);
  });
});

describe('shared bottlenecks, and no effect of a change for all', () => {
  const setting = { scenario: named('bottleneck'), sessions: 9000, days: 14 };
  const bySession = playTrials({ ...setting, trials: times(2, 40) });
  const unit = { kind: 'switchback', periodMinutes: 120, washoutMinutes: 40 } as const;
  const byPeriod = playTrials({ ...setting, unit, trials: times(4, 200) });

  it('bias the comparison by session by about 0.3 percentage points', () => {
    const played = bySession;
    expect(mean(played.map(differenceOf))).toBeLessThan(-0.2);
    expect(shareOf(played, holds)).toBeLessThan(0.2);
  });

  it('leave the switchback right', () => {
    const played = byPeriod;
    expect(Math.abs(mean(played.map(differenceOf)))).toBeLessThan(isFull ? 0.05 : 0.12);
    expect(shareOf(played, holds)).toBeGreaterThanOrEqual(0.93);
    if (isFull) expect(shareOf(played, plainHolds)).toBeGreaterThanOrEqual(0.93);
  });
});
