import { describe, expect, test } from 'vitest';
import { exampleSession, playback, rung, stalled } from '../timeline/example.testing.ts';
import { metrics } from '../metrics/registry.ts';
import { measuredMetrics, type MeasuredMetric } from './measuredMetrics.ts';
import { metricRows } from './metricRows.ts';

const metric = (value: number | null, changes: Partial<MeasuredMetric> = {}): MeasuredMetric => ({
  id: 'm',
  label: 'm',
  meaning: '',
  unit: 's',
  better: 'lower',
  decimals: 1,
  isHeadline: true,
  value,
  lowerBound: false,
  why: value === null ? 'No source reported it.' : null,
  ...changes,
});

describe('a metric of several sessions', () => {
  const judged = (better: MeasuredMetric['better'], values: readonly (number | null)[], reference = 0) =>
    metricRows(
      values.map((value) => [metric(value, { better })]),
      values.map(() => reference),
    )[0]!.cells.map(({ difference, judged: word }) => [difference, word]);
  test('lower is better', () =>
    expect(judged('lower', [4, 3, 6])).toEqual([
      [null, null],
      [-1, 'better'],
      [2, 'worse'],
    ]));
  test('higher is better, against another reference', () =>
    expect(judged('higher', [4, 3, 6], 2)).toEqual([
      [-2, 'worse'],
      [-3, 'worse'],
      [null, null],
    ]));
  test('each session has its own reference', () => {
    const rows = metricRows(
      [4, 3, 9, 8].map((value) => [metric(value)]),
      [0, 0, 3, 3],
    );
    expect(rows[0]!.cells.map(({ difference }) => difference)).toEqual([null, -1, 1, null]);
  });
  test('a lower bound has a difference only in the direction that is sure', () => {
    const between = (values: readonly (readonly [number, boolean])[]) =>
      metricRows(
        values.map(([value, lowerBound]) => [metric(value, { lowerBound })]),
        values.map(() => 0),
      )[0]!.cells.map(({ difference }) => difference);
    const [low, high] = [4, 6];
    expect(
      between([
        [low, false],
        [high, true],
      ]),
    ).toEqual([null, 2]);
    expect(
      between([
        [high, false],
        [low, true],
      ]),
    ).toEqual([null, null]);
    expect(
      between([
        [low, true],
        [high, false],
      ]),
    ).toEqual([null, null]);
    expect(
      between([
        [high, true],
        [low, false],
      ]),
    ).toEqual([null, -2]);
    expect(
      between([
        [high, true],
        [high, false],
      ]),
    ).toEqual([null, null]);
  });
  test('what rounds to nothing is the same', () =>
    expect(judged('lower', [4, 4.04])[1]).toEqual([expect.closeTo(0.04), 'same']));
  test('a metric that only describes is not judged', () =>
    expect(judged(null, [4, 3])[1]).toEqual([-1, null]));
  test('unknown on either side is no difference, never 0', () => {
    expect(judged('lower', [null, 3])[1]).toEqual([null, null]);
    expect(judged('lower', [3, null])[1]).toEqual([null, null]);
  });
  test('what no session knows comes last', () => {
    const rows = metricRows([[metric(null, { id: 'a' }), metric(1, { id: 'b' })]], [0]);
    expect(rows.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

test('every registered metric of a log, with a reason for each that is unknown', () => {
  const log = exampleSession([
    playback(0, 'play-requested'),
    playback(500, 'playing'),
    rung(500, 1),
    stalled(4000, 1000),
    playback(9000, 'stopped'),
  ]);
  const measured = measuredMetrics(log);
  expect(measured.map(({ id }) => id)).toEqual(metrics.map(({ id }) => id));
  expect(measured.find(({ id }) => id === 'join-time')).toMatchObject({
    value: 500,
    why: null,
    unit: 'ms',
    decimals: 0,
  });
  for (const { value, why } of measured) expect(value === null).toBe(typeof why === 'string' && why !== '');
});
