import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressEvents, type LoadProgress } from './progressEvents.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Receives 1000 bytes every `everyMs`, `pieces` times; returns what was reported, and when. */
function reported(totalBytes: number | null, { everyMs, pieces }: { everyMs: number; pieces: number }) {
  const events: (LoadProgress & { atMs: number })[] = [];
  const startMs = performance.now();
  const progress = createProgressEvents(
    totalBytes,
    (event) => void events.push({ ...event, atMs: performance.now() - startMs }),
  );
  for (let piece = 1; piece <= pieces; piece += 1) {
    progress.received(piece * 1000);
    vi.advanceTimersByTime(everyMs);
  }
  return { events, progress };
}

test('the first bytes are reported at once, and then what is there every 50 ms', () => {
  const { events } = reported(100_000, { everyMs: 20, pieces: 8 });
  expect(events.map(({ atMs, loaded }) => [atMs, loaded])).toEqual([
    [0, 1000],
    [50, 3000],
    [100, 5000],
    [150, 8000],
  ]);
});

test('pieces that come seldom are reported as they come, and nothing between them', () => {
  const { events } = reported(null, { everyMs: 500, pieces: 3 });
  expect(events.map(({ atMs }) => atMs)).toEqual([0, 500, 1000]);
});

test('the end reports what was not reported, once', () => {
  const { events, progress } = reported(5000, { everyMs: 1, pieces: 5 });
  progress.flush();
  progress.flush();
  vi.advanceTimersByTime(1000);
  expect(events.map(({ loaded }) => loaded)).toEqual([1000, 5000]);
});

test('after a stop nothing is reported', () => {
  const { events, progress } = reported(5000, { everyMs: 1, pieces: 2 });
  progress.stop();
  vi.advanceTimersByTime(1000);
  expect(events).toHaveLength(1);
});

test('a length that the body exceeds was not its own', () => {
  const { events } = reported(1500, { everyMs: 60, pieces: 2 });
  expect(events.map(({ total, lengthComputable }) => [total, lengthComputable])).toEqual([
    [1500, true],
    [0, false],
  ]);
});
