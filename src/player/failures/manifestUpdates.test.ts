import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchUpdates } from './manifestUpdates.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const START = new Date('2026-11-01T12:00:00Z');

function watching() {
  const listeners = new Map<string, (payload: object) => void>();
  const player = {
    on: (name: string, listener: (payload: object) => void) => void listeners.set(name, listener),
    off: (name: string) => void listeners.delete(name),
  } as unknown as Parameters<typeof watchUpdates>[0];
  const video = { paused: false };
  const said: string[] = [];
  const dispose = watchUpdates(player, { video, notify: (sentence) => void said.push(sentence) });
  return {
    video,
    said,
    dispose,
    listeners,
    update(minimumUpdatePeriod: number | undefined, movedS = 0, type = 'dynamic') {
      const availabilityStartTime = new Date(START.getTime() + movedS * 1000);
      listeners.get('manifestLoaded')!({ data: { type, availabilityStartTime, minimumUpdatePeriod } });
    },
    wait: (seconds: number) => void vi.advanceTimersByTime(seconds * 1000),
  };
}

describe('updates that stop', () => {
  const late = (periodS: number, afterS: number) =>
    `The manifest asks to be read every ${periodS} s (minimumUpdatePeriod), but no new one came for ${afterS} s.`;

  test('are missed after three of their periods, once until the next', () => {
    const { said, update, wait } = watching();
    update(2);
    for (let second = 0; second < 40; second += 2) {
      wait(2);
      update(2);
    }
    wait(5);
    expect(said).toEqual([]);
    wait(60);
    expect(said).toEqual([late(2, 6)]);
    update(4);
    wait(60);
    expect(said).toEqual([late(2, 6), late(4, 12)]);
  });

  test('of a short period are missed after some seconds', () => {
    const { said, update, wait } = watching();
    update(0.5);
    wait(60);
    expect(said).toEqual([late(0.5, 5)]);
  });

  test('are not expected while paused, of a stream that has ended, without a period or before the first', () => {
    const { said, update, video, wait } = watching();
    wait(60);
    update(2);
    wait(4);
    video.paused = true;
    wait(60);
    video.paused = false;
    wait(5);
    update(2, 0, 'static');
    wait(60);
    update(0);
    wait(60);
    update(undefined);
    wait(60);
    expect(said).toEqual([]);
  });
});

test('a start that moves is said once, however often two take turns', () => {
  const { said, update } = watching();
  for (const movedS of [0, 0.05, 0]) update(2, movedS);
  expect(said).toEqual([]);
  for (const movedS of [-20, 0, -20, -20, 0]) update(2, movedS);
  expect(said).toEqual(['An update of the manifest moved availabilityStartTime by -20.0 s.']);
});

test('nothing is said after the end', () => {
  const { said, update, wait, dispose, listeners } = watching();
  update(2);
  dispose();
  wait(60);
  expect([said, listeners.size, vi.getTimerCount()]).toEqual([[], 0, 0]);
});
