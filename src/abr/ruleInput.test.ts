import { describe, expect, it } from 'vitest';
import type { RuleEvent } from './rule.ts';
import { createPauses, createRecentEvents, MAX_RECENT_EVENTS, segmentsBetween } from './ruleInput.ts';

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

describe('events of pathways', () => {
  const stall = (atMs: number): RuleEvent => ({ kind: 'stall', atMs, durationMs: 1 });
  const timesOf = (events: readonly RuleEvent[]): number[] =>
    events.flatMap((event) => (event.kind === 'stall' ? [event.atMs] : []));

  it('count for the pathway over which they were measured, and for all where for none', () => {
    const recent = createRecentEvents();
    expect([recent.add(stall(1), 'main'), recent.add(stall(2), undefined)]).toEqual([true, true]);
    recent.use({ pathway: 'tcp', keepsHistory: false });
    expect([recent.add(stall(3), 'main'), recent.add(stall(4), 'tcp')]).toEqual([false, true]);
    expect(timesOf(recent.ofPresent())).toEqual([2, 4]);
    recent.use({ pathway: 'main', keepsHistory: false });
    expect(timesOf(recent.ofPresent())).toEqual([1, 2, 3]);
  });

  it('go on counting over a pathway that keeps the history, and its own of before no longer do', () => {
    const recent = createRecentEvents();
    recent.add(stall(1), 'main');
    recent.use({ pathway: 'tcp', keepsHistory: false });
    recent.add(stall(2), 'tcp');
    recent.use({ pathway: 'main', keepsHistory: true });
    recent.add(stall(3), 'main');
    expect(recent.add(stall(4), 'tcp')).toBe(false);
    expect(timesOf(recent.ofPresent())).toEqual([2, 3]);
    recent.use({ pathway: 'tcp', keepsHistory: false });
    expect(timesOf(recent.ofPresent())).toEqual([2, 4]);
    recent.use({ pathway: 'main', keepsHistory: true });
    expect(timesOf(recent.ofPresent())).toEqual([2, 4]);
  });

  it('are kept for two other pathways', () => {
    const recent = createRecentEvents();
    recent.use({ pathway: 'one', keepsHistory: false });
    recent.add(stall(1), 'one');
    recent.use({ pathway: 'two', keepsHistory: true });
    recent.use({ pathway: 'three', keepsHistory: true });
    expect(timesOf(recent.ofPresent())).toEqual([1]);
    recent.use({ pathway: 'two', keepsHistory: false });
    expect(timesOf(recent.ofPresent())).toEqual([1]);
  });

  it('are at most the latest ones', () => {
    const recent = createRecentEvents();
    for (let atMs = 0; atMs <= MAX_RECENT_EVENTS; atMs += 1) recent.add(stall(atMs), 'main');
    expect(timesOf(recent.ofPresent())[0]).toBe(1);
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
