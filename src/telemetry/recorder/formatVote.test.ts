import { describe, expect, test } from 'vitest';
import { formatVote, votesValues } from './formatVote.ts';

describe('why a rule of dash.js wishes a rung', () => {
  test.each([
    [
      'ThroughputRule',
      { throughput: 3210.4 },
      'The highest level within the safe throughput of 3210 kbit/s is level 3 (2500 kbit/s).',
    ],
    [
      'ThroughputRule',
      { throughput: 1585148.2 },
      'The highest level within the safe throughput of 1585 Mbit/s is level 3 (2500 kbit/s).',
    ],
    [
      'BolaRule',
      { state: 'BOLA_STATE_STEADY', bufferLevel: 14.04, delay: 0 },
      'A buffer of 14.0 s suits level 3 (2500 kbit/s) best.',
    ],
    [
      'BolaRule',
      { state: 'BOLA_STATE_STEADY', bufferLevel: 24, delay: 2.5 },
      'A buffer of 24.0 s suits level 3 (2500 kbit/s) best. The request waits 2.5 s, until the buffer has fallen.',
    ],
    [
      'BolaRule',
      { state: 'BOLA_STATE_STARTUP', throughput: 900 },
      'BOLA is starting and goes by the safe throughput of 900 kbit/s: level 3 (2500 kbit/s).',
    ],
    [
      'InsufficientBufferRule',
      { message: 'x' },
      'The buffer is empty, so the lowest: level 3 (2500 kbit/s).',
    ],
    [
      'InsufficientBufferRule',
      { bitrate: 2600 },
      'At most 2600 kbit/s arrives before the buffer runs out: level 3 (2500 kbit/s).',
    ],
    [
      'SwitchHistoryRule',
      { drops: 2, noDrops: 7 },
      '2 switches down against 7 kept lately: not above level 3 (2500 kbit/s).',
    ],
    [
      'DroppedFramesRule',
      { droppedFrames: 80 },
      '80 frames were dropped on the level above: level 3 (2500 kbit/s).',
    ],
    ['L2ARule', { state: 'L2A_STATE_STEADY' }, 'L2A, steady: level 3 (2500 kbit/s).'],
    [
      'LoLPRule',
      { throughput: 900.4, latency: 2.14 },
      'LoL+ weighs 900 kbit/s and a live latency of 2.1 s: level 3 (2500 kbit/s).',
    ],
    ['SomebodysRule', {}, 'SomebodysRule votes for level 3 (2500 kbit/s).'],
  ])('%s', (rule, reason, sentence) => {
    expect(formatVote({ rule, rung: 2, bitrateKbps: 2500, reason })).toBe(sentence);
  });

  test('every rule of dash.js says why it has no wish', () => {
    const rules = ['ThroughputRule', 'BolaRule', 'InsufficientBufferRule', 'SwitchHistoryRule'];
    for (const rule of [...rules, 'DroppedFramesRule', 'L2ARule', 'LoLPRule'])
      expect(formatVote({ rule, rung: null, bitrateKbps: null, reason: {} })).toMatch(/^No vote: .*\.$/);
  });
});

test('the numbers behind it carry their units', () => {
  const reason = { throughput: 900, bufferLevel: 1.5, delay: 2, latency: NaN, state: 'x' };
  expect(votesValues({ rule: 'BolaRule', reason })).toEqual({
    throughputKbps: 900,
    bufferMs: 1500,
    holdMs: 2000,
  });
});

test('the latency of LoL+ is the distance to the live edge, that of other rules the wait for a byte', () => {
  expect(votesValues({ rule: 'LoLPRule', reason: { latency: 2.5 } })).toEqual({ liveLatencyMs: 2500 });
  expect(votesValues({ rule: 'BolaRule', reason: { latency: 80 } })).toEqual({ latencyMs: 80 });
});
