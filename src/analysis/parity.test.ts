import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../telemetry/exampleLog.ts';
import { exampleSession, playback, rung, stalled } from './timeline/example.testing.ts';
import { parityOf, type ParityPair, sessionFigures, type SessionFigures } from './parity.ts';

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
    ...{ bitrateKbps: 2500, rebufferPerMinuteS: 12, joinMs: 500, switches: 1, requests: 1 },
  });
  expect(sessionFigures(exampleSession([]))).toEqual({
    ...{ bitrateKbps: null, rebufferPerMinuteS: null, joinMs: null, switches: null, requests: 0 },
  });
});
