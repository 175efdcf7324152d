import { describe, expect, test } from 'vitest';
import { verdictOf } from '../figure.ts';
import { arms, besideArms, steeringArms, type Arm } from './arms.ts';
import { besideCostFigures, costFigures, steeringCostFigures } from './costFigures.ts';
import type { PlaybackCost } from './playbackCost.ts';

type PerArm = Readonly<Partial<Record<Arm['id'], number>>>;

const NO_DROPS: PerArm = { bare: 0, telemetry: 0, 'off-screen': 0, visible: 0 };

/** Two rounds of two windows; the second window is dearer for everyone. */
function costs(cpuS: PerArm, dropped: PerArm = NO_DROPS, of: readonly Arm[] = arms): PlaybackCost[] {
  return [0, 1].flatMap((round) =>
    of.map(({ id }) => ({
      arm: id,
      round,
      windows: [0, 0.5].map((extra) => ({ cpuS: cpuS[id]! * (1 + extra), taskS: 0, scriptS: 0, layoutS: 0 })),
      framesDropped: dropped[id] ?? 0,
      framesDecoded: 1440,
    })),
  );
}

const verdicts = (measured: PlaybackCost[]): Record<string, string> =>
  Object.fromEntries(
    costFigures(measured)
      .filter(({ goalMax }) => goalMax !== null)
      .map((figure) => [figure.id, verdictOf(figure)]),
  );

describe('cost figures', () => {
  test('at the goals all are met', () =>
    expect(verdicts(costs({ bare: 1, telemetry: 1.15, 'off-screen': 1.1, visible: 2.6 }))).toEqual({
      'cost-telemetry-ratio': 'met',
      'cost-off-screen-ratio': 'met',
      'cost-visible-extra': 'met',
      'dropped-visible-extra': 'met',
    }));

  test('above the goals none is met', () =>
    expect(
      verdicts(
        costs({ bare: 1, telemetry: 1.2, 'off-screen': 1.2, visible: 2.7 }, { ...NO_DROPS, visible: 1 }),
      ),
    ).toEqual({
      'cost-telemetry-ratio': 'NOT met',
      'cost-off-screen-ratio': 'NOT met',
      'cost-visible-extra': 'NOT met',
      'dropped-visible-extra': 'NOT met',
    }));

  test('windows are compared with the same stretch of the bare page: a constant ratio has no width', () => {
    const ratio = costFigures(costs({ bare: 1, telemetry: 1.1, 'off-screen': 1, visible: 1 })).find(
      ({ id }) => id === 'cost-telemetry-ratio',
    );
    expect(ratio?.interval?.map((end) => end.toFixed(6))).toEqual(['1.100000', '1.100000']);
  });

  test('steering is compared with the same page without it', () => {
    const figures = steeringCostFigures(costs({ visible: 2, steered: 2.04 }, {}, steeringArms));
    const ratio = figures.find(({ id }) => id === 'steering-cost-ratio');
    expect(ratio?.value).toBeCloseTo(1.02);
    expect(ratio?.interval?.map((end) => end.toFixed(6))).toEqual(['1.020000', '1.020000']);
  });
});

test('this version is held against the other one, each page against its own', () => {
  const measured = costs(
    { telemetry: 1.1, 'telemetry-other': 1, visible: 3, 'visible-other': 4 },
    {},
    besideArms.flat(),
  );
  const goals = besideCostFigures(measured).filter(({ goalMax }) => goalMax !== null);
  expect(goals.map(({ id, value }) => [id, Number(value.toFixed(3))])).toEqual([
    ['cost-telemetry-beside', 1.1],
    ['cost-visible-beside', 0.75],
  ]);
  expect(goals.map(verdictOf)).toEqual(['NOT met', 'met']);
});
