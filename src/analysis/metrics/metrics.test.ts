import { expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import {
  exampleSession,
  framesSeen,
  level,
  playback,
  rung,
  sought,
  stalled,
} from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import { stallsUntil } from '../timeline/spans.ts';

const of = (id: string, events: readonly SessionEvent[]) => pick(metrics, id).of(exampleSession(events));
const value = (id: string, events: readonly SessionEvent[]): number | null => of(id, events).value;
const media = (protocol: string | null, receivedBytes: number, changes: Partial<RequestEvent> = {}) =>
  exampleRequest({ protocol, receivedBytes, ...changes });

/** Three waits for media, of which the last is a stall. */
const WAITS = [stalled(1000, 0.8), stalled(2000, MIN_STALL_MS - 1), stalled(3000, MIN_STALL_MS)];
const PLAYED = [playback(100, 'play-requested'), playback(600, 'playing')];

test.each([
  // id, events, value
  ['join-time', PLAYED, 500],
  ['join-time', [...PLAYED, playback(9000, 'waiting'), playback(9500, 'playing')], 500],
  ['join-time', [playback(50, 'playing'), ...PLAYED], 500],
  // nobody waited yet, or recording began too late
  ['join-time', [playback(200, 'play-requested')], null],
  ['join-time', [playback(50, 'playing'), playback(100, 'play-requested'), playback(900, 'stopped')], null],
  // 2 s of 1000 and 2 s of 4000 kbit/s; the first rung counts from the first frame on
  ['mean-bitrate', [...PLAYED, rung(700, 1), rung(2600, 2), playback(4600, 'stopped')], 2500],
  // the picture stands while it is paused
  [
    'mean-bitrate',
    [
      ...PLAYED,
      rung(600, 0),
      playback(1600, 'paused'),
      rung(8000, 2),
      playback(9000, 'playing'),
      playback(10_000, 'stopped'),
    ],
    2200,
  ],
  ['mean-bitrate', [...PLAYED, rung(600, 0, 'requested'), playback(1600, 'stopped')], null],
  // 1 s stalled, 4 s played
  [
    'rebuffer-rate',
    [
      ...PLAYED,
      playback(2600, 'waiting'),
      stalled(2600, 1000),
      playback(3600, 'playing'),
      playback(5600, 'stopped'),
    ],
    20,
  ],
  // a stall without an end counts up to the end of the log
  [
    'rebuffer-rate',
    [playback(0, 'playing'), playback(3000, 'waiting'), stalled(3000, null), playback(4000, 'stopped')],
    25,
  ],
  ['rebuffer-time', [...PLAYED, stalled(1000, 5), stalled(2000, null), playback(2100, 'stopped')], 105],
  ['rebuffer-time', PLAYED, 0],
  // each wait is rebuffer time, those of the least length are stalls, the open one as soon as it has it
  ['rebuffer-count', [...PLAYED, ...WAITS, stalled(4000, null), playback(4000 + MIN_STALL_MS, 'stopped')], 2],
  ['rebuffer-count', [...PLAYED, ...WAITS, stalled(4000, null), playback(4001, 'stopped')], 1],
  ['rebuffer-time', [...PLAYED, ...WAITS], 0.8 + 2 * MIN_STALL_MS - 1],
  ['rebuffer-count', PLAYED, 0],
  ['switches', [rung(0, 1), rung(100, 1), rung(200, 2), rung(300, 0, 'requested'), rung(400, 1)], 2],
  ['switches', [rung(0, 1)], 0],
  // 400 kbit/s for 1 s, 1000 for 2 s, 4000 for 2 s: half of the 5 s is at 1000 or less
  [
    'median-bitrate',
    [playback(0, 'playing'), rung(0, 0), rung(1000, 1), rung(3000, 2), playback(5000, 'stopped')],
    1000,
  ],
  // 1 × level 1, 2 × level 2, 2 × level 3
  [
    'mean-quality-level',
    [playback(0, 'playing'), rung(0, 0), rung(1000, 1), rung(3000, 2), playback(5000, 'stopped')],
    2.2,
  ],
  // 600 up, 3000 up, 3000 down
  ['switch-magnitude', [rung(0, 0), rung(1000, 1), rung(3000, 2), rung(4000, 1)], 2200],
  ['switch-magnitude', [rung(0, 0), rung(1000, 0)], null],
  // 4 segments of 2 s: 400, 1000, 4000, 4000; 3600 over the 3 after the first
  [
    'bitrate-variation',
    [playback(0, 'playing'), rung(0, 0), rung(2000, 1), rung(4000, 2), playback(8000, 'stopped')],
    1200,
  ],
  // by numpy, of the formula: 1000 kbit/s, from 25 s on 4000
  [
    'instability',
    [playback(0, 'playing'), rung(0, 1), rung(25_000, 2), playback(40_000, 'stopped')],
    0.07488773640661626,
  ],
  ['instability', [playback(0, 'playing'), rung(0, 1), playback(21_000, 'stopped')], 0],
  // a stall keeps the level: 4000 from 30 s on
  [
    'instability',
    [
      ...[playback(0, 'playing'), rung(0, 1), playback(10_000, 'waiting'), rung(25_000, 2)],
      ...[playback(30_000, 'playing'), playback(40_000, 'stopped')],
    ],
    0.0676131698958719,
  ],
  ['instability', [playback(0, 'playing'), rung(0, 1), playback(19_500, 'stopped')], null],
  ['seek-wait', [sought(1000, 300), sought(5000, 500), sought(7000, null)], 400],
  ['seek-wait', [sought(7000, null)], null],
  // 1 s rising from 0 to 2000, 1 s at 2000; the audio buffer does not count beside it
  ['buffer-level', [level(0, 0), level(1000, 2000), level(2000, 2000), level(500, 9000, 'audio')], 1500],
  ['buffer-level', [level(0, 400, 'audio'), level(1000, 400, 'audio')], 400],
  // an hour without a reading weighs 5 s: (5 × 1000 + 5 × 3000) / 10
  ['buffer-level', [level(0, 1000), level(5000, 1000), level(3_605_000, 5000)], 2000],
  ['dropped-frames', [framesSeen(1000, 30, 1), framesSeen(2000, 60, 4)], 4],
  // the element counts anew after a reload
  ['dropped-frames', [framesSeen(1000, 90, 4), framesSeen(2000, 30, 1), framesSeen(3000, 60, 3)], 7],
  ['tcp-share', [media('h3', 300), media('h2', 50), media('http/1.1', 50)], 25],
  // a draft of h3 is QUIC too; what is not known does not count, nor does a manifest
  ['tcp-share', [media('h3-29', 100), media(null, 900), media('h2', 900, { type: 'manifest' })], 0],
  ['tcp-share', [media(null, 900)], null],
  ['quic-share', [media('h3', 300), media('h2', 50), media('http/1.1', 50), media(null, 900)], 75],
  ['quic-share', [media(null, 900)], null],
] as const)('%s of %# is %s', (id, events, expected) => {
  const found = value(id, events);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(expected, 9);
});

test('rate, S and the rebuffering of QoE are sums of all waits, also of those that are no stalls', () => {
  const shortMs = MIN_STALL_MS - 1;
  const session = (waits: readonly SessionEvent[]): readonly SessionEvent[] => [
    ...[playback(0, 'play-requested'), playback(0, 'playing'), rung(0, 1), ...waits],
    ...[playback(5000, 'waiting'), playback(5000 + shortMs, 'playing')],
    playback(32_000 + shortMs, 'stopped'),
  ];
  const short = session([stalled(5000, shortMs)]);
  expect(value('rebuffer-count', short)).toBe(0);
  expect(value('rebuffer-rate', short)).toBeCloseTo((100 * shortMs) / (32_000 + shortMs), 9);
  expect(value('window-stall', short)).toBeCloseTo(shortMs / 1000, 9);
  // µ is 4 on the ladder of the example, and 15 segments of 2 s count
  expect(of('qoe-linear', short).by!['rebuffering']).toBeCloseTo((-4 * shortMs) / 1000 / 15, 9);
  expect(of('qoe-linear', session([])).by!['rebuffering']).toBeCloseTo(0, 9);
});

test('requests are counted by the protocol that carried them; the failed have none', () => {
  const failed = media(null, 0, { outcome: 'network-error' });
  const { value: all, by } = of('requests', [media('h3', 1), media('h3', 1), media(null, 1), failed]);
  // The example's manifest rode on h3 too.
  expect(by).toEqual({ h3: 3, unknown: 1, failed: 1 });
  expect(all).toBe(5);
});

test('requests that the player aborted are counted apart, however far they came', () => {
  const aborted = (protocol: string | null) => media(protocol, 0, { outcome: 'aborted' });
  const { value: all, by } = of('requests', [
    aborted('h3'),
    aborted(null),
    media(null, 0, { outcome: 'in-flight' }),
    media(null, 0, { outcome: 'timeout' }),
  ]);
  expect(by).toEqual({ h3: 1, aborted: 2, 'in-flight': 1, failed: 1 });
  expect(all).toBe(5);
});

test('a stall that a crash cut off ended there, not with the log that was resumed', () => {
  const log = exampleSession([
    ...[playback(0, 'playing'), playback(3000, 'waiting'), stalled(3000, null)],
    ...[playback(60_000, 'playing'), playback(100_000, 'stopped')],
  ]);
  const [part] = log.parts;
  const parts = [
    { ...part!, endMs: 4000 },
    { ...part!, startMs: 50_000, endMs: 100_000, gapMs: 46_000 },
  ];
  expect(pick(metrics, 'rebuffer-time').of({ ...log, parts }).value).toBe(1000);
  expect(stallsUntil(seriesOf({ ...log, parts }), 100_000)).toEqual([{ fromMs: 3000, toMs: 4000 }]);
});

test('levels of one ladder with the same bitrate, as of two codecs, are two', () => {
  const at = (atMs: number, toRung: 0 | 1): SessionEvent =>
    ({ ...rung(atMs, toRung), bitrateKbps: 1200 }) as SessionEvent;
  const log = exampleSession([playback(0, 'playing'), at(0, 0), at(10_000, 1), playback(30_000, 'stopped')]);
  const events = log.events.map((event) =>
    event.kind === 'ladder'
      ? {
          ...event,
          rungs: event.rungs.map((each, place) => ({ ...each, bitrateKbps: place < 2 ? 1200 : 2500 })),
        }
      : event,
  );
  const of = (id: string) => pick(metrics, id).of({ ...log, events }).value;
  expect([of('switches'), of('switch-magnitude'), of('mean-bitrate')]).toEqual([1, 0, 1200]);
  // 10 s at level 1, 20 s at level 2.
  expect(of('mean-quality-level')).toBeCloseTo(5 / 3, 9);
});

test('a new ladder at the same place is a switch, and the same bitrate at another place is none', () => {
  const at = (atMs: number, toRung: 0 | 1 | 2, bitrateKbps: number): SessionEvent =>
    ({ ...rung(atMs, toRung), bitrateKbps }) as SessionEvent;
  const events = [at(0, 1, 1000), at(100, 1, 1500), at(200, 0, 1500)];
  expect([value('switches', events), value('switch-magnitude', events)]).toEqual([1, 500]);
});
