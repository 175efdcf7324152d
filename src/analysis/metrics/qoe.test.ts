import { expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, playback, rung, stalled } from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';

/**
 * Segments of 2 s on the ladder 400, 1000, 4000 kbit/s: one at 400, two at 1000 with a stall of 1.5 s between them, two at
 * 4000. Four count: q = 1 + 1 + 4 + 4 Mbit/s, steps 0.6 + 3, µ = 4.
 */
const session: SessionLog = exampleSession([
  playback(0, 'play-requested'),
  playback(500, 'playing'),
  rung(500, 0),
  rung(2500, 1),
  playback(4500, 'waiting'),
  stalled(4500, 1500),
  playback(6000, 'playing'),
  rung(8000, 2),
  playback(12_000, 'ended'),
]);
const of = (id: string, log: SessionLog = session) => pick(metrics, id).of(log);

test.each([
  ['qoe-linear', (1 + 1 + 4 + 4 - 4 * 1.5 - 3.6) / 4],
  ['qoe-log', (2 * Math.log(2.5) + 2 * Math.log(10) - 2.66 * 1.5 - Math.log(10)) / 4],
  // the table: 0.4 → 1 + 100/450, 1 → 2 + 250/450, 4 → 15 + 5 × 1150/1450
  [
    'qoe-hd',
    (2 * (2 + 5 / 9) + 2 * (15 + 5 * (1150 / 1450)) - 8 * 1.5 - (15 + 5 * (1150 / 1450) - (1 + 2 / 9))) / 4,
  ],
])('%s is %d, and its parts add up to it', (id, expected) => {
  const { value, by, note } = of(id);
  expect(value).toBeCloseTo(expected, 9);
  expect(by!['quality']! + by!['rebuffering']! + by!['switching']!).toBeCloseTo(expected, 9);
  expect(note).toMatch(/^Q = .*µ = .*\.$/);
});

test('a switch inside a segment counts the time on either side', () => {
  // after the first 2 s: 1 s at 1000 and 1 s at 4000 kbit/s are one segment
  const log = exampleSession([playback(0, 'playing'), rung(0, 1), rung(3000, 2), playback(4000, 'stopped')]);
  expect(of('qoe-linear', log).value).toBeCloseTo(0.5 + 2 - 3, 9);
});

test('one segment alone has no QoE', () => {
  const log = exampleSession([playback(0, 'playing'), rung(0, 1), playback(2000, 'stopped')]);
  expect(of('qoe-linear', log)).toEqual({
    value: null,
    why: 'At most one segment was played, and the first does not count.',
  });
});

function withOptimum(traceOptimum: number | null, durationMs: number): SessionLog {
  const events = session.events.map((event) =>
    event.kind === 'manifest' ? { ...event, durationMs } : event,
  );
  return { ...session, environment: { ...session.environment, traceOptimum }, events };
}

test('the share of the optimum: sums over all segments but the first, of a whole video only', () => {
  // 10 − 6 − 3.6 = 0.4 of 8
  expect(of('optimum-share', withOptimum(8, 10_000)).value).toBeCloseTo(5, 9);
  expect(of('optimum-share', withOptimum(8, 60_000)).why).toMatch(/did not play the whole video/);
  expect(of('optimum-share', withOptimum(null, 10_000)).value).toBeNull();
  expect(of('optimum-share', withOptimum(-1, 10_000)).value).toBeNull();
});
