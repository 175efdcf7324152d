import { describe, expect, it } from 'vitest';
import { createPauses, segmentsBetween } from './ruleInput.ts';

describe('pauses between downloads', () => {
  it('begin where the last download of the type ended, and are reported once', () => {
    const pauses = createPauses();
    expect(pauses.before('video', 500)).toBeNull();
    pauses.busyUntil('video', 1000);
    expect(pauses.before('audio', 5000)).toBeNull();
    expect(pauses.before('video', 4000)).toEqual({ kind: 'idle', atMs: 1000, durationMs: 3000 });
    expect(pauses.before('video', 4010)).toBeNull();
    expect(pauses.before('video', 4100)).toEqual({ kind: 'idle', atMs: 4000, durationMs: 100 });
  });

  it('are no pauses where the player only did its own work', () => {
    const pauses = createPauses();
    pauses.busyUntil('video', 1000);
    expect(pauses.before('video', 1050)).toBeNull();
    expect(pauses.before('video', 1051)).not.toBeNull();
  });
});

describe('segments that are left', () => {
  it.each([
    [0, 48_000, 2000, 24],
    [46_010, 48_000, 2000, 1],
    [47_900, 48_000, 2000, 0],
    [50_000, 48_000, 2000, 0],
    [0, NaN, 2000, null],
    [0, Infinity, 2000, null],
    [0, 48_000, 0, null],
  ])('from %s to %s ms by %s: %s', (from, end, segmentMs, left) => {
    expect(segmentsBetween(from, end, segmentMs)).toBe(left);
  });
});
