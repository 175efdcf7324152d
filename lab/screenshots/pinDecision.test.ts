import { expect, test } from 'vitest';
import type { SessionEvent } from '../../src/telemetry/schema/sessionLog.ts';
import { stepsBack } from './pinDecision.ts';

const decision = (atMs: number, mediaType: 'video' | 'audio' = 'video'): SessionEvent =>
  ({ kind: 'decision', id: `d${atMs}`, atMs, mediaType }) as SessionEvent;
const stall = (atMs: number, durationMs: number | null): SessionEvent =>
  ({ kind: 'stall', id: `s${atMs}`, atMs, durationMs }) as SessionEvent;

test.each<[string, SessionEvent[], number]>([
  ['no stall: the decision before the newest', [decision(1), decision(2), decision(3)], 2],
  [
    'after a stall of 5 ms',
    [decision(1), stall(10, 5), decision(12), decision(15), decision(20), decision(25)],
    3,
  ],
  [
    'audio does not count',
    [stall(10, 5), decision(15), decision(16, 'audio'), decision(20), decision(21)],
    3,
  ],
  [
    'the last of two stalls',
    [stall(1, 1), decision(5), decision(6), stall(9, 1), decision(11), decision(12)],
    2,
  ],
  [
    'a stall that goes on counts from its start',
    [stall(10, null), decision(11), decision(12), decision(13)],
    3,
  ],
])('%s', (_, events, steps) => expect(stepsBack({ events })).toBe(steps));
