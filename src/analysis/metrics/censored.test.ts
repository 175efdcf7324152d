import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { EventOf } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, playback, rung, sought, stalled } from '../timeline/example.testing.ts';
import type { Measured } from './metric.ts';
import { metrics } from './registry.ts';

const of = (id: string, events: readonly SessionEvent[]): Measured =>
  pick(metrics, id).of(exampleSession(events));

/** The value as people read it. */
const shown = ({ value, lowerBound }: Measured): string => `${lowerBound ? '≥ ' : ''}${value}`;

const error = (atMs: number, code: string): SessionEvent =>
  ({
    kind: 'error',
    id: 'x',
    atMs,
    source: 'player',
    code,
    message: 'Gone.',
    fatal: true,
    requestId: null,
    missing: { requestId: 'not-applicable' },
  }) as EventOf<'error'>;
const openSeek = (atMs: number): SessionEvent =>
  ({ ...sought(atMs, null), missing: { waitMs: 'in-flight' } }) as SessionEvent;

const STARTED = [playback(0, 'play-requested'), playback(500, 'playing')];

describe('a wait whose end the log does not have is a lower bound', () => {
  test.each<[string, SessionEvent[], string]>([
    [
      'a viewer who seeks three times before a picture comes',
      [
        ...[playback(10_000, 'waiting'), sought(10_000, null), sought(16_000, null), sought(20_000, null)],
        ...[sought(21_000, 10_600), playback(31_600, 'playing'), playback(40_000, 'stopped')],
      ],
      '≥ 5400',
    ],
    ['a seek that is open at the end', [openSeek(10_000), playback(14_000, 'sample')], '≥ 4000'],
    ['one that the viewer stopped', [sought(10_000, null), playback(12_500, 'stopped')], '≥ 2500'],
    [
      'one that the viewer paused, however long the pause was',
      [sought(10_000, null), playback(11_000, 'paused'), playback(90_000, 'stopped')],
      '≥ 1000',
    ],
    [
      'one after which the player gave up',
      [sought(10_000, null), error(13_000, 'ended'), playback(90_000, 'stopped')],
      '≥ 3000',
    ],
    [
      'an error after which the player goes on ends no wait',
      [sought(10_000, null), error(13_000, 'segment'), playback(14_000, 'stopped')],
      '≥ 4000',
    ],
    [
      'a seek to the end of the media is over there',
      [sought(10_000, null), playback(10_020, 'ended'), playback(90_000, 'stopped')],
      '20',
    ],
    ['a seek while paused has no wait', [playback(9000, 'paused'), sought(10_000, null)], 'null'],
    [
      'a seek while paused, after which play is requested before it is done',
      [
        ...[playback(9000, 'paused'), sought(10_000, null), playback(60_000, 'play-requested')],
        ...[sought(62_000, 400), playback(62_400, 'playing')],
      ],
      '≥ 1200',
    ],
    ['finished seeks only', [sought(10_000, 300), sought(20_000, 500)], '400'],
  ])('seek-wait: %s', (_name, events, expected) =>
    expect(shown(of('seek-wait', [...STARTED, ...events]))).toBe(expected),
  );

  test.each<[string, SessionEvent[], string]>([
    ['a frame played', STARTED, '500'],
    ['the log ends before', [playback(100, 'play-requested'), playback(5100, 'sample')], '≥ 5000'],
    [
      'the viewer gave up, and the page stayed open',
      [playback(100, 'play-requested'), playback(3100, 'paused'), playback(60_000, 'stopped')],
      '≥ 3000',
    ],
    [
      'the player gave up',
      [playback(100, 'play-requested'), error(2100, 'ended'), playback(60_000, 'stopped')],
      '≥ 2000',
    ],
    ['nobody asked to play', [playback(5000, 'stopped')], 'null'],
  ])('join-time: %s', (_name, events, expected) => expect(shown(of('join-time', events))).toBe(expected));

  test.each([
    ['a stall that is open at the end', [stalled(4000, null)], ['≥ 6000', '≥ 60', '1']],
    ['a stall that ended', [stalled(4000, 6000)], ['6000', '60', '1']],
  ])('rebuffering: %s', (_name, stalls, expected) => {
    const events = [
      ...[playback(0, 'playing'), playback(4000, 'waiting'), ...stalls],
      playback(10_000, 'sample'),
    ];
    const ids = ['rebuffer-time', 'rebuffer-rate', 'rebuffer-count'];
    expect(ids.map((id) => shown(of(id, events)))).toEqual(expected);
  });
});

test('QoE with a stall that is open at the end says that it is an upper bound', () => {
  const events = [...STARTED, rung(500, 1), playback(8500, 'waiting'), playback(12_500, 'sample')];
  const { note, lowerBound } = of('qoe-linear', [...events, stalled(8500, null)]);
  expect(note).toMatch(/at most/);
  expect(lowerBound).toBeUndefined();
  expect(of('qoe-linear', [...events, stalled(8500, 4000)]).note).not.toMatch(/at most/);
});

/** Waits of all kinds: seeks that were replaced, stalls, and the join. Nothing of them may be in no metric. */
test('all waiting of a session is in join time, rebuffer time and waits after seeks', () => {
  const events = [
    ...[
      playback(0, 'play-requested'),
      playback(700, 'playing'),
      playback(5000, 'waiting'),
      stalled(5000, 2000),
    ],
    ...[playback(7000, 'playing'), sought(9000, null), sought(12_000, null), sought(13_000, 4000)],
    ...[
      playback(17_000, 'playing'),
      playback(20_000, 'waiting'),
      stalled(20_000, null),
      playback(23_000, 'sample'),
    ],
  ];
  const seeks = of('seek-wait', events);
  expect(seeks.note).toBe('Playback did not go on after 2 seeks of 3.');
  const waitedMs = of('join-time', events).value! + of('rebuffer-time', events).value! + 3 * seeks.value!;
  expect(waitedMs).toBeCloseTo(700 + 2000 + 3000 + 1000 + 4000 + 3000, 9);
});
