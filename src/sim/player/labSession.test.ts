import { describe, expect, test } from 'vitest';
import { eventsOf, only, play, through, track } from './playByHand.testing.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

describe('one connection of h2', () => {
  test('carries one body after the other, h3 all at once', () => {
    const content = { ...only(track()), audio: track({ segmentMs: 2000 }) };
    const firstBytes = (settings: Partial<PlayerModelSettings>) =>
      play(settings, { content })
        .requests.slice(0, 2)
        .map(({ firstByteMs, lastByteMs }) => [firstByteMs, lastByteMs]);
    // Handshake 200 ms, latency 100 ms; each body takes 100 ms alone.
    expect(firstBytes({ protocol: 'h2' })).toEqual([
      [300, 400],
      [400, 500],
    ]);
    expect(firstBytes({ protocol: 'h3' })).toEqual([
      [200, 400],
      [200, 400],
    ]);
  });
});

describe('the share of bodies', () => {
  // 12,500 bytes at 1000 kbit/s of IP packets; the headers are worked out in fetches.ts.
  test.each([
    ['h1', 16_384 / (16_384 + 22 + 12 * 52)],
    ['h2', 16_384 / (16_384 + 9 + 44 + 12 * 52)],
    ['h3', 1425 / 1480],
  ] as const)('%s', (protocol, share) => {
    const [first] = play({ protocol, payload: null }).requests;
    expect(first!.lastByteMs! - first!.firstByteMs!).toBeCloseTo(100 / share, 6);
  });
});

describe('the manifest', () => {
  // 1250 bytes take 10 ms.
  const content = { ...only(track()), manifestBytes: 1250, sizesFileBytes: 2500 };

  test('comes before all else, and is part of the join time', () => {
    const { requests, joinMs } = play({ protocol: 'h2' }, { content });
    expect(requests.slice(0, 3).map(({ type, startMs, lastByteMs }) => [type, startMs, lastByteMs])).toEqual([
      ['manifest', 0, 310],
      ['index', 310, 430],
      ['media', 310, 530],
    ]);
    expect(joinMs).toBe(530);
  });

  test('is no download that rules receive', () => {
    const { log } = play({ protocol: 'h2' }, { content });
    const input = eventsOf(log, 'rule-input').filter(({ input: { kind } }) => kind === 'download');
    expect(input).toHaveLength(5);
    expect(eventsOf(log, 'request')[0]).toMatchObject({
      mediaType: null,
      rung: null,
      url: 'sim://made%20by%20hand/manifest',
    });
  });
});

describe('a session in a campaign', () => {
  // The lead-in's rate, then ten times as much.
  const trace = through([
    [5000, 100],
    [1e9, 1000],
  ]);

  test('asks to play when its lead-in ends, not before', () => {
    const { requests, log, joinMs } = play({ playAtMs: 5000 }, { trace });
    expect([requests[0]!.startMs, joinMs]).toEqual([5000, 400]);
    expect(eventsOf(log, 'playback').map(({ state, atMs }) => [state, atMs])).toEqual([
      ['play-requested', 5000],
      ['playing', 5400],
      ['ended', 15_400],
    ]);
  });

  test('lasts so long from its first frame; what is on its way then is given up', () => {
    const { requests, log, outcome } = play({ playAtMs: 5000, playMs: 300 }, { trace });
    expect(eventsOf(log, 'playback').at(-1)).toMatchObject({ state: 'stopped', atMs: 5700, playheadMs: 300 });
    expect(requests.map(({ outcome: end }) => end)).toEqual(['ok', 'ok', 'aborted']);
    expect([outcome.stalls, outcome.rungs.length]).toEqual([0, 1]);
  });

  test('a stall that it ends in ends with it, and counts', () => {
    const dead = through([
      [450, 1000],
      [1e9, 1e-6],
    ]);
    const { log, outcome } = play({ playMs: 3000 }, { trace: dead });
    expect(eventsOf(log, 'stall')).toMatchObject([{ atMs: 2400, durationMs: 1000 }]);
    expect([outcome.stalls, outcome.waitMs[0]]).toEqual([1, 400 + 1000]);
  });
});
