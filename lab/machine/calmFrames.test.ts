import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/telemetry/schema/sessionLog.ts';
import { calmFrames } from './calmFrames.ts';

/** Readings once a second: 24 frames each, and what was dropped of them. */
function framesOf(dropped: readonly number[]): SessionEvent[] {
  let sum = 0;
  return dropped.map((each, second) => ({
    kind: 'frames',
    id: `f${second}`,
    missing: {},
    atMs: second * 1000,
    decoded: second * 24,
    dropped: (sum += each),
  }));
}
const about = { missing: {}, playheadMs: 0 };
const stall = (atMs: number, durationMs: number | null): SessionEvent => ({
  kind: 'stall',
  id: 's1',
  atMs,
  durationMs,
  ...about,
});
const switched = (atMs: number): SessionEvent => ({
  kind: 'switch',
  id: 'w1',
  atMs,
  phase: 'rendered',
  mediaType: 'video',
  missing: {},
  fromRung: 0,
  toRung: 1,
  bitrateKbps: 1000,
  reason: 'test',
});
const seek: SessionEvent = {
  kind: 'seek',
  id: 'k1',
  atMs: 2500,
  fromMs: 0,
  toMs: 90_000,
  waitMs: 1200,
  missing: {},
};
const level = (atMs: number, levelMs: number, mediaType: 'video' | 'audio' = 'video'): SessionEvent => ({
  kind: 'buffer',
  id: `b${atMs}`,
  atMs,
  mediaType,
  levelMs,
  missing: {},
});
const DROPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

it.each<[string, SessionEvent[], number, number]>([
  ['all, where nothing happened', [], 9, 45],
  // From 2.5 s to 5.6 s: the readings of 3, 4, 5 and 6 s are not calm.
  ['not around a stall', [stall(2500, 1100)], 5, 45 - 3 - 4 - 5 - 6],
  ['not after a stall that never ended', [stall(2500, null)], 2, 3],
  ['not around a switch', [switched(6100)], 6, 45 - 7 - 8 - 9],
  // From 2.1 s to 5.9 s: sound plays on while frames come late.
  [
    'not while there is hardly any video loaded',
    [level(500, 900), level(2100, 150), level(3900, 4000)],
    5,
    45 - 3 - 4 - 5 - 6,
  ],
  ['not after the last level where that is scarce', [level(2100, 0)], 6, 45 - 3 - 4 - 5],
  ['while sound is scarce', [level(2100, 0, 'audio')], 9, 45],
  ['while little video is loaded', [level(2100, 200)], 9, 45],
  ['not around a seek', [seek], 5, 45 - 3 - 4 - 5 - 6],
])('frames count %s', (_, disturbances, seconds, droppedFrames) =>
  expect(calmFrames({ events: [...framesOf(DROPS), ...disturbances] })).toEqual({
    decodedFrames: seconds * 24,
    droppedFrames,
  }),
);

it('a count that begins again is no drop', () => {
  const again = framesOf([0, 1]).map((event) => ({ ...event, atMs: event.atMs + 10_000 }));
  expect(calmFrames({ events: [...framesOf(DROPS), ...again] })).toEqual({
    decodedFrames: 10 * 24,
    droppedFrames: 46,
  });
});

it('a session without frames has none', () =>
  expect(calmFrames({ events: [] })).toEqual({ decodedFrames: 0, droppedFrames: 0 }));
