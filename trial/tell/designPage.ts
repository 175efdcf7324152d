import {
  formatCount,
  formatInteger,
  formatNumber,
  formatPercent,
  formatUnit,
  decimalsOf,
} from '../../src/shared/format.ts';
import { formatMargin } from '../../experiment/verdict/margin.ts';
import { pick } from '../../src/shared/registry.ts';
import type { Trial } from '../design/trialFile.ts';
import { trialMetrics } from '../design/trialMetrics.ts';
import { MIN_CLUSTERS } from './effects.ts';
import { expectationOf } from './plannedError.ts';
import { trialPower, type TrialPower } from './power.ts';

const UNITS = { session: 'session', viewer: 'viewer', switchback: 'pair of periods' } as const;
const PLURALS = { session: 'sessions', viewer: 'viewers', switchback: 'pairs of periods' } as const;

/** Formats what a trial is going to do and may claim: one page that is read before it starts. */
export function formatDesign(trial: Trial, power = trialPower(trial)): string {
  const { stopping, arms, primary, expected, ttlSeconds, retentionDays } = trial;
  const metric = pick(trialMetrics, primary.metric);
  const expectation = expectationOf(trial);
  const amount = amountOf(metric.unit);
  return [
    `Trial ${trial.name}: ${metric.label}, margin ${formatMargin({ value: primary.margin, isPercent: false }, metric.unit)}`,
    '',
    ...arms.map(
      ({ pathway, transport, share, baseUrl }) =>
        `  arm ${pathway} (${transport}${pathway === trial.default ? ', default' : ''}): ${formatPercent(share)} of ${formatDrawn(trial)}, ${baseUrl}`,
    ),
    `  ends after ${formatCount(stopping.days, 'day')}; looks: ${stopping.looks}; false alarm over all looks at most ${Number((100 * stopping.alpha).toPrecision(3))} %`,
    `  expects ${formatInteger(Math.round(expectation.sessions))} sessions${formatUnits(trial, expectation.units)} at ${formatInteger(expected.sessionsPerDay)} a day, spread ${amount(expected.spread)}`,
    `  kill switch: within ${formatCount(ttlSeconds, 'second')}; data are deleted after ${formatCount(retentionDays, 'day')}`,
    '',
    ...formatPower(trial, power, amount),
    '',
    'It may not claim:',
    ...limitsOf(trial).map((line) => `  - ${line}`),
  ].join('\n');
}

const formatUnits = ({ unit }: Trial, units: number): string =>
  unit.kind === 'session' ? '' : ` (${formatCount(Math.floor(units), UNITS[unit.kind], PLURALS[unit.kind])})`;

const amountOf =
  (unit: string) =>
  (value: number): string =>
    `${formatNumber(value, decimalsOf(null, value))}${formatUnit(unit)}`;

const formatDrawn = ({ unit }: Trial): string =>
  unit.kind === 'switchback'
    ? `periods of ${unit.periodMinutes} min (the first ${unit.washoutMinutes} min of each are not counted)`
    : PLURALS[unit.kind];

function formatPower(trial: Trial, power: TrialPower, amount: (value: number) => string): string[] {
  const { stopping, primary, unit } = trial;
  const { chanceAtMargin, detectable, halfWidth, daysForMargin, sessionsForMargin, canShowInside } = power;
  if (power.firstVerdictDay > stopping.days)
    return [
      `No verdict by day ${stopping.days}, if the expected numbers are right: it needs ${MIN_CLUSTERS} ${PLURALS[unit.kind]} in each arm, and ${formatNumber(expectationOf(trial).armUnits, 0)} are expected in the smallest. They are there on day ${formatInteger(power.firstVerdictDay)}${unit.kind === 'switchback' ? ', or sooner with shorter periods' : ''}.`,
    ];
  return [
    'What it can find, if the expected numbers are right:',
    ...(power.firstVerdictDay > 1
      ? [
          `  nothing before day ${power.firstVerdictDay}: a verdict needs ${MIN_CLUSTERS} ${PLURALS[unit.kind]} in each arm`,
        ]
      : []),
    `  a difference of the margin, ${amount(primary.margin)}: with a chance of ${formatChance(chanceAtMargin)} by day ${stopping.days}`,
    `  with a chance of 80 %: ${amount(detectable)}; the interval at the end is ± ${amount(halfWidth)}`,
    daysForMargin === null
      ? '  the margin would take more than ten years: a larger margin, more sessions, or another metric is needed'
      : `  the margin with a chance of 80 %: ${formatCount(daysForMargin, 'day')}, ${formatCount(sessionsForMargin!, 'session')}`,
    canShowInside
      ? '  if there is no difference, it can show that it is inside the margin'
      : '  if there is no difference, it cannot show that it is inside the margin',
  ];
}

/** Simulated chances are never certain: 4000 trials of 4000 are no 100 %. */
function formatChance(chance: number): string {
  if (chance > 0.99) return 'over 99 %';
  return chance < 0.01 ? 'under 1 %' : formatPercent(chance);
}

/** What the design leaves open, whatever the result is. */
export function limitsOf({ unit, arms }: Pick<Trial, 'unit' | 'arms'>): string[] {
  return [
    'anything about viewers, networks or hours that were not in it',
    'what HTTP/3 does for those who ride it: arms are compared as assigned, fallback included',
    ...(unit.kind === 'switchback'
      ? ['anything about habits: an arm lasts for one period only']
      : [
          'what happens when all viewers change: arms that share a bottleneck disturb each other, and even the sign may be wrong (use a switchback)',
        ]),
    ...(arms.length > 2 ? ['a ranking among the arms that are not the default'] : []),
    'anything by its further metrics: they have no correction for their number',
  ];
}
