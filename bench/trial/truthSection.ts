import { pick } from '../../src/shared/registry.ts';
import type { Trial } from '../../trial/design/trialFile.ts';
import { scenarios, type Scenario } from '../../trial/simulate/scenarios.ts';
import { trialPower } from '../../trial/tell/power.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import type { Figure } from '../figure.ts';
import {
  designOf,
  errorOf,
  holdsTruth,
  isAlarm,
  meanFigure,
  plainHoldsTruth,
  playTrial,
  shareFigure,
  type PlayedTrial,
  type Setting,
} from './playedTrials.ts';
import type { TrialSection } from './trialSection.ts';

/** Trials of each setting. */
const TRIALS = 500;
const MAX_ALARMS = 5;
const MIN_HELD = 93;
/** A mismatch has three tests at 0.001. */
const MAX_FALSE_MISMATCHES = 1;
/** Three standard errors of a share of 75 % in 500 trials, in percentage points. */
const POWER_TOLERANCE = 6;

const named = (id: string): Scenario => pick(scenarios, id);
const bySession = { kind: 'session' } as const;

type Figures = Setting['figures'];

const alarms = (trials: readonly PlayedTrial[]): Figure =>
  shareFigure(
    trials,
    { id: 'alarms', label: 'find a difference that is none (stated: at most 5)', goalMax: MAX_ALARMS },
    isAlarm,
  );

const held = (trials: readonly PlayedTrial[]): Figure[] => [
  shareFigure(
    trials,
    { id: 'held', label: 'interval holds the truth (stated: at least 95)', goalMin: MIN_HELD },
    holdsTruth,
  ),
  shareFigure(
    trials,
    { id: 'plain-held', label: 'plain interval at the end does (stated: 95)', goalMin: MIN_HELD },
    plainHoldsTruth,
  ),
];

const ofEqualArms: Figures = (trials) => [
  alarms(trials),
  ...held(trials),
  shareFigure(
    trials,
    {
      id: 'mismatch',
      label: 'sample ratio is a false alarm (stated: at most 0.3)',
      goalMax: MAX_FALSE_MISMATCHES,
    },
    ({ isMismatch }) => isMismatch,
  ),
];

const ofEffect: Figures = (trials, design) => {
  const effect = mean(trials.map(({ truth }) => truth));
  const stated = 100 * chanceOf(design, Math.abs(effect));
  const isRight = ({ judged }: PlayedTrial): boolean =>
    Math.sign(judged.looks.at(-1)!.difference) === Math.sign(effect);
  return [
    meanFigure(trials, { id: 'truth', label: 'true difference' }, ({ truth }) => truth),
    shareFigure(
      trials,
      {
        id: 'found',
        label: `find it (stated by "power": ${stated.toFixed(0)})`,
        goalMin: stated - POWER_TOLERANCE,
        goalMax: stated + POWER_TOLERANCE,
      },
      (trial) => isAlarm(trial) && isRight(trial),
    ),
    shareFigure(
      trials,
      { id: 'wrong', label: 'find its opposite', goalMax: 0 },
      (trial) => isAlarm(trial) && !isRight(trial),
    ),
    ...held(trials),
  ];
};

/** The chance that `power` tells for an effect. */
const chanceOf = (design: Trial, margin: number): number =>
  trialPower({ ...design, primary: { ...design.primary, margin } }).chanceAtMargin;

const ofLoss: Figures = (trials) => [
  shareFigure(
    trials,
    { id: 'mismatch', label: 'sample ratio is an alarm (stated: most)', goalMin: 80 },
    ({ isMismatch }) => isMismatch,
  ),
];

const ours = (trials: readonly PlayedTrial[], maxError: number): Figure => {
  const figure = meanFigure(trials, { id: 'error', label: '' }, errorOf);
  return {
    ...figure,
    label: `our mean error, which is ${figure.value.toFixed(3)}, without its sign`,
    value: Math.abs(figure.value),
    goalMax: maxError,
    interval: null,
  };
};

const ofSelection: Figures = (trials) => [
  meanFigure(
    trials,
    { id: 'naive-error', label: 'mean error of the naive comparison' },
    ({ naive, truth }) => naive.estimate!.difference - truth,
  ),
  shareFigure(
    trials,
    { id: 'naive-wrong', label: 'naive comparison says that h3 is better' },
    ({ naive }) => naive.interval![1] < 0,
  ),
  ours(trials, 0.02),
  alarms(trials),
  ...held(trials),
];

const ofBottleneck: Figures = (trials) => [
  meanFigure(trials, { id: 'error', label: 'mean error of the comparison by session' }, errorOf),
  shareFigure(trials, { id: 'wrong', label: 'find a difference that is none' }, isAlarm),
  shareFigure(trials, { id: 'held', label: 'interval holds the truth' }, holdsTruth),
];

const ofSwitchback: Figures = (trials) => [ours(trials, 0.05), alarms(trials), ...held(trials)];

export const settings: readonly Setting[] = [
  {
    ...{ id: 'aa-session', label: 'equal arms, by session' },
    ...{ scenario: named('aa'), unit: bySession, sessions: 3000, days: 30, figures: ofEqualArms },
  },
  {
    ...{ id: 'aa-viewer', label: 'equal arms, by viewer' },
    ...{ scenario: named('aa'), unit: { kind: 'viewer' }, sessions: 3000, days: 30, figures: ofEqualArms },
  },
  {
    ...{ id: 'effect', label: 'h3 stalls 35 % less often' },
    scenario: { ...named('effect'), stallFactor: 0.65 },
    ...{ unit: bySession, sessions: 6000, days: 14, figures: ofEffect },
  },
  {
    ...{ id: 'point', label: 'h3 stalls twice as often, one percentage point more' },
    scenario: { ...named('effect'), stallFactor: 2 },
    ...{ unit: bySession, sessions: 900, days: 14, figures: ofEffect },
  },
  {
    ...{ id: 'loss', label: 'one arm loses 2 % more beacons' },
    ...{ scenario: named('loss'), unit: bySession, sessions: 12_000, days: 14, figures: ofLoss },
  },
  {
    ...{ id: 'selection', label: 'UDP blocked on poor networks, no effect' },
    ...{ scenario: named('selection'), unit: bySession, sessions: 4000, days: 14, figures: ofSelection },
  },
  {
    ...{ id: 'bottleneck', label: 'shared bottlenecks, no effect, by session' },
    ...{ scenario: named('bottleneck'), unit: bySession, sessions: 9000, days: 14, figures: ofBottleneck },
  },
  {
    ...{ id: 'switchback', label: 'shared bottlenecks, no effect, switchback' },
    ...{ scenario: named('bottleneck'), sessions: 9000, days: 14, figures: ofSwitchback },
    unit: { kind: 'switchback', periodMinutes: 120, washoutMinutes: 40 },
  },
];

/** Trials whose truth is known, many times: how often the report is right, beside what it says. */
export const truthSection: TrialSection = {
  id: 'truth',
  label: `What trials tell and find, ${TRIALS} simulated trials of each setting (pp: percentage points of rebuffering)`,
  measure({ isQuick, say, print }) {
    const count = isQuick ? 4 : TRIALS;
    const figures = settings.flatMap((whole) => {
      const setting = isQuick ? { ...whole, sessions: Math.max(600, whole.sessions / 10) } : whole;
      const { id, label, sessions, days } = setting;
      print(`  ${id}: ${label}; ${sessions} sessions, ${days} daily looks`);
      const design = designOf(setting);
      const trials = Array.from({ length: count }, (_, index) => {
        if ((index + 1) % Math.ceil(count / 4) === 0) say(`${index + 1} of ${count} trials`);
        return playTrial(setting, design, index + 1);
      });
      return setting
        .figures(trials, design)
        .map((figure) => ({ ...figure, id: `${id}-${figure.id}`, label: `${id}: ${figure.label}` }));
    });
    return Promise.resolve(figures);
  },
};
