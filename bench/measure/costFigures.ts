import { mean } from '../../src/analysis/statistics/summaries.ts';
import type { Figure } from '../figure.ts';
import { differenceOfMeans, ratioOfMeans, type Pair } from '../statistics.ts';
import { bootstrap, type Interval } from '../../src/analysis/statistics/intervals.ts';
import { arms, besideArms, steeringArms, type Arm } from './arms.ts';
import type { CostWindow, PlaybackCost } from './playbackCost.ts';

/** Goals of the issue for the cost of the full page: a ratio to the bare page, and seconds per minute on top of it. */
const MAX_RATIO = 1.15;
const MAX_EXTRA_S = 2;
/** Goal for the ratio of the page with steering to the page without: steering costs nothing that a viewer could notice. */
export const MAX_STEERING_RATIO = 1.02;
/** Goal for the ratio of this version to another one. */
export const MAX_BESIDE_RATIO = 1.05;

/** Returns the figures of what each arm costs, with the goals for its cost beside the bare page. */
export function costFigures(costs: readonly PlaybackCost[]): Figure[] {
  const each = arms.map((arm) =>
    figure(`cost-${arm.id}`, arm.label, { unit: 's/min', ...meanOf(costs, arm.id) }),
  );
  return [
    ...each,
    ratio(costs, 'telemetry', 'recording / bare'),
    ratio(costs, 'off-screen', 'charts off-screen / bare'),
    figure('cost-visible-extra', 'charts visible − bare', {
      unit: 's/min',
      goalMax: MAX_EXTRA_S,
      ...bootstrap(pairsOf(costs, 'visible'), differenceOfMeans),
    }),
    figure('dropped-visible-extra', 'dropped frames, charts visible − bare', {
      unit: 'per min',
      goalMax: 0,
      value: droppedPerMinute(costs, 'visible') - droppedPerMinute(costs, 'bare'),
      interval: null,
    }),
  ];
}

/** Columns of the table of all arms. Only processor time has goals; the rest tells where to look. */
export const COST_HEAD = ['s/min', 'cpu', 'cpu by round', 'tasks', 'script', 'layout', 'frames dropped'];

export function costRows(costs: readonly PlaybackCost[], of: readonly Arm[] = arms): string[][] {
  return of.map(({ id, label }) => {
    const all = windowsOf(costs, id);
    const part = (pick: (window: CostWindow) => number): string => mean(all.map(pick)).toFixed(2);
    const mine = costs.filter(({ arm }) => arm === id);
    const rounds = mine.map(({ windows }) => mean(windows.map(({ cpuS }) => cpuS)).toFixed(2)).join(' ');
    const dropped = mine.reduce((sum, { framesDropped }) => sum + framesDropped, 0);
    const decoded = mine.reduce((sum, { framesDecoded }) => sum + framesDecoded, 0);
    return [
      label,
      part(({ cpuS }) => cpuS),
      rounds,
      part(({ taskS }) => taskS),
      part(({ scriptS }) => scriptS),
      part(({ layoutS }) => layoutS),
      `${dropped} of ${decoded}`,
    ];
  });
}

/** Returns the figures of what steering costs: the full page with it against the full page without. */
export function steeringCostFigures(costs: readonly PlaybackCost[]): Figure[] {
  const [base, steered] = steeringArms;
  return [
    ...steeringArms.map((arm) =>
      figure(`steering-cost-${arm.id}`, arm.label, { unit: 's/min', ...meanOf(costs, arm.id) }),
    ),
    figure('steering-cost-ratio', 'steered / not steered', {
      unit: '×',
      goalMax: MAX_STEERING_RATIO,
      ...bootstrap(pairsOf(costs, steered.id, base.id), ratioOfMeans),
    }),
  ];
}

/** Returns the figures of what this version costs, beside another one. */
export function besideCostFigures(costs: readonly PlaybackCost[]): Figure[] {
  return besideArms.flatMap(([other, own]) => [
    ...[other, own].map((arm) =>
      figure(`cost-${arm.id}`, arm.label, { unit: 's/min', ...meanOf(costs, arm.id) }),
    ),
    figure(`cost-${own.id}-beside`, `${own.label}, this one / other`, {
      unit: '×',
      goalMax: MAX_BESIDE_RATIO,
      ...bootstrap(pairsOf(costs, own.id, other.id), ratioOfMeans),
    }),
  ]);
}

const ratio = (costs: readonly PlaybackCost[], arm: Arm['id'], label: string): Figure =>
  figure(`cost-${arm}-ratio`, label, {
    unit: '×',
    goalMax: MAX_RATIO,
    ...bootstrap(pairsOf(costs, arm), ratioOfMeans),
  });

function figure(
  id: string,
  label: string,
  rest: { unit: string; value: number; interval: Interval | null; goalMax?: number },
): Figure {
  return { goalMax: null, ...rest, id, label };
}

function meanOf(costs: readonly PlaybackCost[], arm: Arm['id']): { value: number; interval: Interval } {
  return bootstrap(
    windowsOf(costs, arm).map(({ cpuS }) => cpuS),
    mean,
  );
}

/** Pairs windows of two arms by the stretch of the stream and the round, for windows differ by what they download. */
function pairsOf(costs: readonly PlaybackCost[], arm: Arm['id'], baseArm: Arm['id'] = 'bare'): Pair[] {
  const base = windowsOf(costs, baseArm);
  const other = windowsOf(costs, arm);
  return base.map((window, index) => ({ base: window.cpuS, other: other[index]!.cpuS }));
}

const windowsOf = (costs: readonly PlaybackCost[], arm: Arm['id']): CostWindow[] =>
  costs
    .filter((cost) => cost.arm === arm)
    .toSorted((a, b) => a.round - b.round)
    .flatMap(({ windows }) => windows);

/** Returns the dropped frames per minute of an arm. They are counted over the windows, which are equal parts of a minute. */
function droppedPerMinute(costs: readonly PlaybackCost[], arm: Arm['id']): number {
  const mine = costs.filter((cost) => cost.arm === arm);
  const FRAMES_PER_MINUTE = 24 * 60;
  const decoded = mine.reduce((sum, { framesDecoded }) => sum + framesDecoded, 0);
  const dropped = mine.reduce((sum, { framesDropped }) => sum + framesDropped, 0);
  return (dropped / decoded) * FRAMES_PER_MINUTE;
}
