import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import type { Recording } from './recording.ts';
import { trackBuffer } from './trackBuffer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A player that tells buffer levels, and what became of them: [atMs, mediaType, levelMs]. */
function recorder() {
  let tell: (payload: object) => void = () => undefined;
  const player = {
    on: (_name: string, listener: (payload: object) => void) => void (tell = listener),
    off: () => undefined,
  } as unknown as MediaPlayerClass;
  const samples: [number, string | null, number][] = [];
  const recording = {
    record(draft: Draft) {
      if (draft.kind === 'buffer') samples.push([draft.atMs, draft.mediaType, draft.levelMs]);
    },
  } as unknown as Recording;
  const startMs = Date.now();
  const clock = { nowMs: () => Date.now() - startMs, sessionMs: (ms: number) => ms };
  const dispose = trackBuffer({ player, clock, recording });
  return {
    samples,
    dispose,
    level: (bufferLevel: number, mediaType = 'video') => tell({ mediaType, bufferLevel }),
    /** Tells a falling level every 100 ms. */
    play(ms: number) {
      for (let at = 0; at < ms; at += 100) {
        tell({ mediaType: 'video', bufferLevel: (20_000 - at) / 1000 });
        vi.advanceTimersByTime(100);
      }
    },
  };
}

describe('trackBuffer', () => {
  test('samples of a steady fall lie at least 250 ms apart and say the level of their moment', () => {
    const { samples, play } = recorder();
    play(3000);
    expect(samples.length).toBe(10);
    for (const [atMs, , levelMs] of samples) expect(levelMs).toBe(20_000 - atMs);
    for (const [index, [atMs]] of samples.entries())
      if (index > 0) expect(atMs - samples[index - 1]![0]).toBeGreaterThanOrEqual(250);
  });

  test('the last level of a burst is recorded, at its own time', () => {
    const { samples, level } = recorder();
    level(4);
    vi.advanceTimersByTime(50);
    level(8);
    vi.advanceTimersByTime(50);
    level(12);
    vi.advanceTimersByTime(2000);
    expect(samples).toEqual([
      [0, 'video', 4000],
      [100, 'video', 12_000],
    ]);
  });

  test('and so it is when recording ends right after it', () => {
    const { samples, level, dispose } = recorder();
    level(4);
    vi.advanceTimersByTime(50);
    level(8);
    dispose();
    expect(samples.at(-1)).toEqual([50, 'video', 8000]);
    vi.advanceTimersByTime(2000);
    expect(samples).toHaveLength(2);
  });

  test('video and audio do not hold each other up; a level that stays is recorded once', () => {
    const { samples, level } = recorder();
    level(4);
    level(6, 'audio');
    vi.advanceTimersByTime(300);
    level(4);
    vi.advanceTimersByTime(2000);
    expect(samples).toEqual([
      [0, 'video', 4000],
      [0, 'audio', 6000],
    ]);
  });

  test.each([
    [NaN, 'video'],
    [-1, 'video'],
    [3, 'text'],
  ])('a level of %f of %s is none', (bufferLevel, mediaType) => {
    const { samples, level } = recorder();
    level(bufferLevel, mediaType);
    vi.advanceTimersByTime(2000);
    expect(samples).toEqual([]);
  });
});
