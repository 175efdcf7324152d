import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LinkEvent } from './linkEvents.ts';
import { playEvents } from './playEvents.ts';

const START_MS = 1_000_000;
beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

const event = (atMs: number): LinkEvent => ({ kind: 'udp', atMs, kbps: null });

function played(atMs: readonly number[], startedMsAgo: number) {
  const acted: number[] = [];
  let elapsedMs = 0;
  const playing = playEvents(atMs.map(event).values(), START_MS - startedMsAgo, (due) => {
    acted.push(due.atMs, elapsedMs);
    return Promise.resolve();
  });
  const pass = (ms: number): void => {
    for (const end = elapsedMs + ms; elapsedMs < end;) {
      elapsedMs += 1;
      vi.advanceTimersByTime(1);
    }
  };
  return { acted, pass, stop: playing.stop };
}

test('what is due is done when it is due, what is overdue at once', () => {
  const { acted, pass } = played([100, 500, 600], 200);
  pass(1000);
  expect(acted).toEqual([100, 1, 500, 300, 600, 400]);
});

test.each([-3_600_000, 3_600_000])('also when the clock is set by %i ms meanwhile', (jumpMs) => {
  const { acted, pass } = played([100, 500, 600], 0);
  pass(150);
  vi.setSystemTime(Date.now() + jumpMs);
  pass(1000);
  expect(acted).toEqual([100, 100, 500, 500, 600, 600]);
});

test('nothing is done any more once it is stopped', () => {
  const { acted, pass, stop } = played([100, 500], 0);
  pass(200);
  stop();
  pass(1000);
  expect(acted).toEqual([100, 100]);
});
