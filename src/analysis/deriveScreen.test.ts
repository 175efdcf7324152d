import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../telemetry/exampleLog.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';
import { readSessionLog } from './deriveScreen.ts';

let ids = 0;
const playback = (atMs: number, state: 'playing' | 'waiting' | 'sample' | 'ended', playheadMs = atMs) =>
  ({
    kind: 'playback',
    id: `p${(ids += 1)}`,
    atMs,
    state,
    playheadMs,
    playbackRate: 1,
    liveLatencyMs: null,
    missing: { liveLatencyMs: 'not-applicable' },
  }) as const;
const level = (atMs: number, levelMs: number, mediaType: 'video' | 'audio' = 'video') =>
  ({ kind: 'buffer', id: `b${(ids += 1)}`, atMs, mediaType, levelMs, missing: {} }) as const;
const stall = (atMs: number, durationMs: number | null): SessionEvent => ({
  kind: 'stall',
  id: `s${(ids += 1)}`,
  atMs,
  playheadMs: atMs,
  durationMs,
  missing: durationMs === null ? { durationMs: 'in-flight' } : {},
});

/** As a version without a model of the screen wrote it. */
function older(events: readonly SessionEvent[]): SessionLog {
  const log = exampleLog({ segments: 0, extra: events });
  const environment = { ...log.environment };
  delete environment.screen;
  return { ...log, environment };
}

function readAgain(log: SessionLog): SessionLog {
  const read = readSessionLog(JSON.stringify(log));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const stallsOf = ({ events }: SessionLog) =>
  events.flatMap((event) =>
    event.kind === 'stall' ? [[event.atMs, event.durationMs, event.stands ?? null]] : [],
  );

const SOUND = level(100, 20_000, 'audio');

test('what the sound hid is part of the stall that the element reported later', () => {
  const log = older([
    SOUND,
    playback(1000, 'playing', 0),
    level(1000, 4000),
    level(4800, 200),
    level(5250, 0),
    playback(8000, 'waiting', 7000),
    stall(8000, 1500),
    level(9400, 2000),
    playback(9500, 'playing', 7000),
  ]);
  const again = readAgain(log);
  expect(again.environment.screen).toBe('derived');
  expect(stallsOf(again)).toEqual([[5000, 4500, 'both']]);
  expect(readAgain(again)).toEqual(again);
});

test('a stall that the element never reported is one of the picture', () => {
  const log = older([
    SOUND,
    playback(1000, 'playing', 0),
    level(1000, 4000),
    level(5250, 0),
    level(7000, 2000),
    playback(9000, 'sample', 8000),
  ]);
  expect(stallsOf(readAgain(log))).toEqual([[5000, 2000, 'picture']]);
});

test.each([
  ['without sound', [playback(1000, 'playing'), level(1000, 4000), level(5250, 0), level(7000, 2000)]],
  [
    'at the end of the stream',
    [SOUND, playback(1000, 'playing'), level(1000, 4000), level(5250, 0), playback(5400, 'ended')],
  ],
  [
    'before playback',
    [SOUND, level(1000, 100), level(1250, 0), level(3000, 2000), playback(3100, 'playing')],
  ],
  [
    'that played on',
    [SOUND, playback(1000, 'playing'), level(1000, 4000), level(4800, 200), level(4900, 2000)],
  ],
])('a log %s is as it was', (_, events) => {
  const log = older(events);
  expect(readAgain(log)).toEqual(log);
});

test('of replaced segments those that had arrived in time are shown', () => {
  const segment = (endMs: number, mediaStartMs: number, rung: number): SessionEvent =>
    exampleRequest({
      id: `q${(ids += 1)}`,
      atMs: endMs - 50,
      endMs,
      mediaStartMs,
      mediaDurationMs: 2000,
      rung,
      bitrateKbps: 100 * (rung + 1),
    });
  const rendered = (atMs: number, toRung: number): SessionEvent => ({
    kind: 'switch',
    id: `w${(ids += 1)}`,
    atMs,
    phase: 'rendered',
    mediaType: 'video',
    fromRung: null,
    toRung,
    bitrateKbps: 100 * (toRung + 1),
    reason: 'dash.js said so.',
    missing: { fromRung: 'not-applicable' },
  });
  const log = older([
    segment(500, 0, 0),
    segment(600, 2000, 0),
    playback(1000, 'playing', 0),
    rendered(1000, 0),
    // The first comes while the segment that it replaces plays, the second before.
    segment(1500, 0, 2),
    rendered(1600, 2),
    segment(2000, 2000, 1),
    playback(4500, 'sample', 3500),
  ]);
  const levels = readAgain(log).events.flatMap((event) =>
    event.kind === 'switch' ? [[event.atMs, event.toRung]] : [],
  );
  expect(levels).toEqual([
    [1000, 0],
    [3000, 1],
  ]);
});
