import { describe, expect, test } from 'vitest';
import type { DownloadEvent } from '../rule.ts';
import { downloadOf } from '../testMoments.testing.ts';
import { emptyLatencyAndRate, predictedOf, withTimed, type LatencyAndRate } from './latencyAndRate.ts';

const after = (downloads: readonly DownloadEvent[], size = 5): LatencyAndRate =>
  downloads.reduce(withTimed, emptyLatencyAndRate(size));

/** A body of `bytes` that comes at `kbps` after `latencyMs`. */
const timed = (
  latencyMs: number,
  bytes: number,
  kbps: number,
  over: Partial<DownloadEvent> = {},
): DownloadEvent =>
  downloadOf(1, {
    sizeBytes: bytes,
    startMs: 1000,
    firstByteMs: 1000 + latencyMs,
    lastByteMs: 1000 + latencyMs + (8 * bytes) / kbps,
    ...over,
  });

describe('latency and rate apart', () => {
  test('nothing is predicted before the first download', () => {
    expect(predictedOf(after([]))).toBeNull();
  });

  test('the same latency and rate are found at every size', () => {
    const sizes = [50_000, 400_000, 1_000_000];
    const predicted = predictedOf(after(sizes.map((bytes) => timed(300, bytes, 2000))));
    expect(predicted?.latencyMs).toBeCloseTo(300, 9);
    expect(predicted?.rateKbps).toBeCloseTo(2000, 9);
  });

  test('a prediction that holds has no error, also where sizes change', () => {
    const { errors } = after([timed(300, 50_000, 2000), timed(300, 1_000_000, 2000)]);
    expect(errors[0]).toBe(0);
    expect(errors[1]).toBeCloseTo(0, 9);
  });

  test('the error compares the whole time: 400 ms predicted, 600 ms taken', () => {
    // 200 ms of latency and 200 ms for 50 kB at 2000 kbit/s; then 400 ms of latency.
    const { errors } = after([timed(200, 50_000, 2000), timed(400, 50_000, 2000)]);
    expect(errors[1]).toBeCloseTo(0.5, 9);
  });

  test('only the last few count', () => {
    const downloads = [timed(900, 50_000, 100), timed(100, 50_000, 2000), timed(100, 50_000, 2000)];
    const estimate = after(downloads, 2);
    expect(predictedOf(estimate)?.latencyMs).toBeCloseTo(100, 9);
    expect(predictedOf(estimate)?.rateKbps).toBeCloseTo(2000, 9);
    expect(estimate.errors).toHaveLength(2);
  });

  test('handshakes count only while nothing else is known', () => {
    const opening = timed(300, 50_000, 2000, { connectionReused: false });
    expect(predictedOf(after([opening]))?.latencyMs).toBeCloseTo(300, 9);
    expect(predictedOf(after([opening, timed(100, 50_000, 2000)]))?.latencyMs).toBeCloseTo(100, 9);
    expect(predictedOf(after([timed(100, 50_000, 2000), opening]))?.latencyMs).toBeCloseTo(100, 9);
  });

  test('without the time of the first byte, all of the time is the body', () => {
    const predicted = predictedOf(after([timed(300, 50_000, 2000, { firstByteMs: null })]));
    expect(predicted?.latencyMs).toBe(0);
    expect(predicted?.rateKbps).toBeCloseTo(400_000 / 500, 9);
  });

  test('a burst is not taken for a rate: 16 kB in 1 ms count as 20 ms', () => {
    const burst = downloadOf(1, { sizeBytes: 16_000, startMs: 1000, firstByteMs: 1099, lastByteMs: 1100 });
    expect(predictedOf(after([burst]))?.rateKbps).toBeCloseTo(128_000 / 20, 9);
    // Not longer than the download itself took.
    const quick = downloadOf(1, { sizeBytes: 16_000, startMs: 1000, firstByteMs: 1009, lastByteMs: 1010 });
    expect(predictedOf(after([quick]))?.rateKbps).toBeCloseTo(128_000 / 10, 9);
  });

  test.each([
    ['was abandoned', { aborted: true }],
    ['took no time', { startMs: 1000, firstByteMs: 1000, lastByteMs: 1000 }],
    ['brought nothing', { sizeBytes: 0 }],
  ])('a download that %s is left out', (_what, over) => {
    const before = after([timed(100, 50_000, 2000)]);
    expect(withTimed(before, timed(900, 50_000, 100, over))).toBe(before);
  });
});
