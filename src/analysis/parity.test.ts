import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../telemetry/exampleLog.testing.ts';
import { exampleSession, playback, rung, stalled } from './timeline/example.testing.ts';
import {
  parityDifferences,
  parityOf,
  type ParityPair,
  paritySummary,
  sessionFigures,
  type SessionFigures,
} from './parity.ts';

const figures = (changes: Partial<SessionFigures> = {}): SessionFigures => ({
  bitrateKbps: 1000,
  rebufferPerMinuteS: 2,
  joinMs: 500,
  switches: 3,
  requests: 20,
  ...changes,
});
const pair = (
  simulated: Partial<SessionFigures>,
  cell = 'a',
  lab: Partial<SessionFigures> = {},
): ParityPair => ({
  cell,
  lab: figures(lab),
  simulated: figures(simulated),
});

describe('a gap', () => {
  test.each<[string, Partial<SessionFigures>, string[]]>([
    ['none at all', {}, []],
    ['a bitrate 5 % above', { bitrateKbps: 1050 }, []],
    ['more than that', { bitrateKbps: 1050.1 }, ['bitrateKbps']],
    ['a bitrate below', { bitrateKbps: 949 }, ['bitrateKbps']],
    ['1 s of stalls per minute less', { rebufferPerMinuteS: 1 }, []],
    ['more than that', { rebufferPerMinuteS: 0.9 }, ['rebufferPerMinuteS']],
    ['both', { bitrateKbps: 1, rebufferPerMinuteS: 60 }, ['bitrateKbps', 'rebufferPerMinuteS']],
    ['join time and switches have no limit', { joinMs: 9000, switches: 30 }, []],
  ])('%s', (_, simulated, gaps) => expect(parityOf([pair(simulated)])[0]!.gaps).toEqual(gaps));
});

test('a cell has the means of its sessions, and cells come by name', () => {
  const cells = parityOf([
    pair({ bitrateKbps: 900 }, 'b'),
    pair({ bitrateKbps: 1200 }, 'b'),
    pair({ joinMs: 400 }, 'a'),
  ]);
  expect(cells.map(({ cell, sessions }) => [cell, sessions])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(cells[0]!.figures.joinMs).toEqual({ lab: 500, simulated: 400, difference: -100 });
  expect(cells[1]!.figures.bitrateKbps).toEqual({ lab: 1000, simulated: 1050, difference: 5 });
});

test('what one of both does not contain is no figure, never 0', () => {
  const cells = parityOf([
    pair({ bitrateKbps: null }),
    pair({ bitrateKbps: 1100 }),
    pair({}, 'b', { joinMs: null }),
  ]);
  expect(cells[0]!.figures.bitrateKbps).toEqual({ lab: 1000, simulated: 1100, difference: 10 });
  expect(cells[1]!.figures.joinMs).toEqual({ lab: null, simulated: null, difference: null });
});

test('figures of a log: stalls per minute of play and stalls together', () => {
  const log = exampleSession([
    ...[playback(100, 'play-requested'), playback(600, 'playing'), rung(600, 1)],
    ...[playback(2600, 'waiting'), stalled(2600, 1000), playback(3600, 'playing')],
    ...[rung(3600, 2), playback(5600, 'stopped'), exampleRequest(), exampleRequest({ outcome: 'aborted' })],
  ]);
  // 1 s stalled, 4 s played, half of it at 1000 and half at 4000 kbit/s
  expect(sessionFigures(log)).toEqual({
    bitrateKbps: 2500,
    rebufferPerMinuteS: 12,
    joinMs: 500,
    switches: 1,
    requests: 1,
  });
  expect(sessionFigures(exampleSession([]))).toEqual({
    bitrateKbps: null,
    rebufferPerMinuteS: null,
    joinMs: null,
    switches: null,
    requests: 0,
  });
});

describe('all cells together', () => {
  test('have a share within the limits, a mean and a median difference', () => {
    const cells = parityOf([
      pair({ bitrateKbps: 1010 }, 'a'),
      pair({ bitrateKbps: 1020 }, 'b'),
      pair({ bitrateKbps: 1300 }, 'c'),
      pair({ rebufferPerMinuteS: 9 }, 'd'),
    ]);
    expect(paritySummary(cells)).toEqual({
      cells: 4,
      within: 2,
      meanPercent: 8.25,
      medianPercent: 1.5,
      repeatable: null,
    });
  });

  test('say how often the lab would agree with itself', () => {
    const cell = (name: string, ...kbps: readonly number[]): ParityPair[] =>
      kbps.map((bitrateKbps) => pair({ bitrateKbps }, name, { bitrateKbps }));
    expect(paritySummary(parityOf(cell('same', 1000, 1000, 1000))).repeatable).toBe(1);
    // SciPy: 1 - 2 * norm.sf(5 / (10 * sqrt(2 / 3))), standard deviation 10 %
    const spread = paritySummary(parityOf(cell('apart', 900, 1000, 1100)));
    expect(spread.repeatable).toBeCloseTo(0.4597, 3);
  });
});

describe('differences between arms', () => {
  const arm = (rule: string, transport: string, lab: number, simulated: number): ParityPair => ({
    ...pair({ bitrateKbps: simulated }, `${rule}/${transport}`, { bitrateKbps: lab }),
    factors: { rule, transport, controller: '', place: 'dvl/demo' },
  });

  test('are of arms that differ in one factor, beyond the margin in the lab', () => {
    const cells = parityOf([
      ...[arm('bola', 'h1', 1000, 1000), arm('bola', 'h2', 1200, 900)],
      ...[arm('sara', 'h1', 1030, 1500), arm('sara', 'h2', 900, 950)],
    ]);
    expect(parityDifferences(cells, () => 50)).toEqual([
      {
        factor: 'transport',
        first: 'h2',
        second: 'h1',
        within: 'bola',
        place: 'dvl/demo',
        lab: 200,
        simulated: -100,
      },
      {
        factor: 'rule',
        first: 'sara',
        second: 'bola',
        within: 'h2',
        place: 'dvl/demo',
        lab: -300,
        simulated: 50,
      },
      {
        factor: 'transport',
        first: 'h2',
        second: 'h1',
        within: 'sara',
        place: 'dvl/demo',
        lab: -130,
        simulated: -550,
      },
    ]);
    expect(parityDifferences(cells, (kbps) => kbps)).toEqual([]);
  });

  test('are of no arms that differ in two factors, and name any factor', () => {
    const steered = (steering: string, { factors, ...rest }: ParityPair): ParityPair => ({
      ...rest,
      cell: `${rest.cell}/${steering}`,
      factors: { ...factors!, steering },
    });
    const cells = parityOf([
      steered('browser', arm('bola', 'h2', 1000, 1000)),
      steered('latency', arm('bola', 'h2', 1200, 1100)),
      steered('latency', arm('sara', 'h2', 1500, 1600)),
    ]);
    expect(
      parityDifferences(cells, () => 50).map(({ factor, first, second }) => [factor, first, second]),
    ).toEqual([
      ['steering', 'latency', 'browser'],
      ['rule', 'sara', 'bola'],
    ]);
  });
});
