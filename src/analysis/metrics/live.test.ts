import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, livePlayback, playback } from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';

const of = (id: string, events: readonly SessionEvent[]) => pick(metrics, id).of(exampleSession(events));

/** 2 s behind for 1 s, 4 s more that rise to 4 s behind, and a stall, at whose end it is 6 s behind for the last second. */
const STALLED = [
  livePlayback(0, 'playing', { latencyMs: 2000 }),
  livePlayback(1000, 'sample', { latencyMs: 2000 }),
  livePlayback(5000, 'waiting', { latencyMs: 4000 }),
  livePlayback(7000, 'playing', { latencyMs: 6000 }),
  livePlayback(8000, 'stopped', { latencyMs: 6000 }),
];

test('the latency is a mean over the time that played, a stall left out', () => {
  expect(of('live-latency', STALLED).value).toBeCloseTo((1 * 2 + 4 * 3 + 1 * 6) / 6, 9);
});

test('95 % of the time it was not longer', () => {
  const slow = [
    ...[livePlayback(0, 'playing', { latencyMs: 2000 }), livePlayback(18_900, 'sample', { latencyMs: 2000 })],
    ...[
      livePlayback(19_000, 'sample', { latencyMs: 3000 }),
      livePlayback(20_000, 'stopped', { latencyMs: 3000 }),
    ],
  ];
  // 94.5 % at 2 s, 0.5 % at 2.5 s, and then 3 s.
  expect(of('live-latency-p95', slow).value).toBeCloseTo(2.5, 9);
  expect(of('live-latency-p95', STALLED).value).toBeCloseTo(6, 9);
});

test('a rate counts as long as it lasts and something plays, whether it is slow or fast', () => {
  const events = [
    livePlayback(0, 'playing', { latencyMs: 2000 }),
    livePlayback(1000, 'rate', { latencyMs: 2000, rate: 1.04 }),
    livePlayback(3000, 'rate', { latencyMs: 2000, rate: 0.98 }),
    livePlayback(4000, 'waiting', { latencyMs: 2000, rate: 0.98 }),
    livePlayback(9000, 'stopped', { latencyMs: 7000, rate: 0.98 }),
  ];
  expect(of('playback-rate-deviation', events).value).toBeCloseTo((0 + 2 * 4 + 1 * 2) / 4, 9);
  expect(of('live-latency', events).value).toBeCloseTo(2, 9);
});

test('a rate of 0 is a standstill', () => {
  const events = [
    livePlayback(0, 'playing', { latencyMs: 2000, rate: 1.02 }),
    livePlayback(1000, 'rate', { latencyMs: 2000, rate: 0 }),
    livePlayback(2000, 'stopped', { latencyMs: 2000, rate: 0 }),
  ];
  expect(of('playback-rate-deviation', events).value).toBeCloseTo(2, 9);
});

describe('how far the clock may be off', () => {
  /** The clock is set anew after 1 s, of 10 s. */
  const withErrors = (before: number | null | undefined, after: number | null | undefined): SessionEvent[] =>
    [0, 1000, 1000, 10_000].map((atMs, index) => ({
      ...livePlayback(atMs, index === 0 ? 'playing' : 'sample', { latencyMs: 2000 }),
      ...((index < 2 ? before : after) !== undefined && { liveLatencyErrorMs: index < 2 ? before : after }),
    })) as SessionEvent[];

  test('the mean moves by the mean of the errors, a percentile by no more than the greatest', () => {
    const events = withErrors(40, 9020);
    expect(of('live-latency', events).error).toBeCloseTo((0.04 * 1 + 9.02 * 9) / 10, 9);
    expect(of('live-latency', events).note).toBe(
      'The clock of the stream, and with it this latency, may be 8.12 s off.',
    );
    expect(of('live-latency-p95', events).error).toBeCloseTo(9.02, 9);
  });

  test('is not known where it is not known for a while', () => {
    for (const id of ['live-latency', 'live-latency-p95']) {
      expect(of(id, withErrors(40, null)).error).toBeNull();
      expect(of(id, withErrors(40, null)).note).toContain('it is not known how far');
    }
  });

  test('is not said of a log that names no error', () => {
    expect(of('live-latency', withErrors(undefined, undefined))).toEqual({ value: 2 });
  });
});

test.each([
  ['on demand', [playback(0, 'playing'), playback(5000, 'stopped')], 'The stream is not live.'],
  ['that never played', [livePlayback(0, 'play-requested', { latencyMs: 2000 })], 'Playback never started.'],
])('a session %s has none of these values', (_what, events, why) => {
  for (const id of ['live-latency', 'live-latency-p95', 'playback-rate-deviation'])
    expect(of(id, events)).toEqual({ value: null, why });
});

test('a live stream whose edge was never known has a rate, but no latency', () => {
  const log = exampleSession([playback(0, 'playing'), playback(5000, 'stopped')]);
  const events = log.events.map((each) =>
    each.kind === 'manifest' ? { ...each, type: 'dynamic' as const, durationMs: null } : each,
  );
  const live = { ...log, events };
  expect(pick(metrics, 'live-latency').of(live).why).toContain('never knew the live edge');
  expect(pick(metrics, 'playback-rate-deviation').of(live).value).toBe(0);
});
