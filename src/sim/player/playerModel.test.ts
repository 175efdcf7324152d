import { describe, expect, test } from 'vitest';
import type { Rule } from '../../abr/rule.ts';
import { lowest } from '../../abr/rules/fixed.ts';
import { chunkModel } from '../chunk/chunkModel.ts';
import { CHUNK_RULES } from '../chunk/chunkWorld.ts';
import { envivio } from '../envivio.ts';
import type { Track } from '../content.ts';
import type { Scene } from '../model.ts';
import { eventsOf, only, play, scripted, steady, through, track } from './playByHand.testing.ts';
import { playerModelWith } from './playerModel.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

describe('join time', () => {
  test.each([
    ['TCP and TLS 1.3: two round trips', { protocol: 'h2' }, 200],
    ['h1 the same', { protocol: 'h1' }, 200],
    ['TLS early data saves one', { protocol: 'h2', earlyData: true }, 100],
    ['QUIC needs one', { protocol: 'h3' }, 100],
    ['QUIC 0-RTT needs none', { protocol: 'h3', earlyData: true }, 0],
  ] as const)('%s', (_what, settings, handshakeMs) => {
    // request latency and transfer of the init segment, then of the first segment
    const content = only(track({ initBytes: [1250, 1250] }));
    expect(play(settings, { content }).joinMs).toBeCloseTo(handshakeMs + 110 + 200, 9);
    expect(play(settings).joinMs).toBeCloseTo(handshakeMs + 200, 9);
  });

  test('is no stall', () => {
    const { outcome, log } = play({});
    expect([outcome.stalls, [...outcome.waitMs]]).toEqual([0, [400, 0, 0, 0, 0]]);
    expect(eventsOf(log, 'stall')).toEqual([]);
    expect(eventsOf(log, 'playback').map(({ state, atMs }) => [state, atMs])).toEqual([
      ['play-requested', 0],
      ['playing', 400],
      ['ended', 10_400],
    ]);
  });

  test('the round-trip time of the trace counts where none is set', () => {
    const trace = { ...steady(1000), rttMs: Float64Array.of(30) };
    expect(play({ rttMs: null }, { trace }).joinMs).toBeCloseTo(60 + 30 + 100, 9);
    expect(play({ rttMs: null }).joinMs).toBeCloseTo(160 + 80 + 100, 9);
  });
});

describe('audio beside video', () => {
  const content = { ...only(track()), audio: track({ segmentMs: 2000 }) };

  test('over one connection the last byte of both comes as if they shared its rate', () => {
    const { joinMs, requests } = play({ protocol: 'h2' }, { content });
    expect(joinMs).toBeCloseTo(200 + 100 + 200, 9);
    expect(
      requests.slice(0, 2).map(({ mediaType, connectionReused }) => [mediaType, connectionReused]),
    ).toEqual([
      ['video', false],
      ['audio', true],
    ]);
  });

  test('over a second connection audio pays a handshake of its own', () => {
    const { requests } = play({ protocol: 'h2', connections: 2 }, { content });
    expect(requests.slice(0, 2).map((request) => [request.connectionReused, request.connectEndMs])).toEqual([
      [false, 200],
      [false, 200],
    ]);
  });

  test('h1 with one connection carries one after the other', () => {
    const { joinMs, requests } = play({ protocol: 'h1', connections: 1 }, { content });
    expect(joinMs).toBeCloseTo(400 + 200, 9);
    expect(requests[1]).toMatchObject({
      mediaType: 'audio',
      atMs: 0,
      requestStartMs: 400,
      connectionReused: true,
    });
  });

  test('playback waits for the track that is missing', () => {
    const slowAudio = track({ sizesBytes: [Array<number>(5).fill(500_000), Array<number>(5).fill(500_000)] });
    const { outcome, log } = play({}, { content: { ...content, audio: slowAudio } });
    expect(outcome.stalls).toBeGreaterThan(0);
    const stalledMs = eventsOf(log, 'stall').reduce((sum, { durationMs }) => sum + durationMs!, 0);
    expect(outcome.waitMs.subarray(1).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(stalledMs, 6);
  });

  test('audio of another length neither holds up nor outlives the video', () => {
    for (const segments of [3, 9]) {
      const audio = track({ segments });
      const { log } = play({}, { content: { ...content, audio } });
      const [ended] = eventsOf(log, 'playback').filter(({ state }) => state === 'ended');
      expect(ended?.playheadMs).toBe(10_000);
    }
  });

  test('a rule decides for each track, and receives all downloads', () => {
    const { log } = play({}, { content });
    const decided = eventsOf(log, 'decision').map(({ mediaType }) => mediaType);
    expect(decided.filter((each) => each === 'audio')).toHaveLength(5);
    expect(decided.filter((each) => each === 'video')).toHaveLength(5);
    const received = eventsOf(log, 'rule-input').filter(
      ({ mediaType, input }) => mediaType === 'audio' && input.kind === 'download',
    );
    expect(received).toHaveLength(10);
  });

  test('a rule that is asked about video gets the level of audio, until all audio is loaded', () => {
    const levelsOf = (audio: Track): (number | undefined)[] =>
      eventsOf(play({}, { content: { ...only(track()), audio } }).log, 'decision')
        .filter(({ mediaType }) => mediaType === 'video')
        .map(({ moment }) => moment.audioBufferMs);
    // Segments of 2 s, as those of the video: both arrive one after the other.
    expect(levelsOf(track({ segmentMs: 2000 }))).toEqual([0, 0, 1900, 3700, 5500]);
    expect(levelsOf(track({ segments: 2 }))).toEqual([0, 0, 1900, undefined, undefined]);
    const { log } = play({}, { content });
    for (const { mediaType, moment } of eventsOf(log, 'decision'))
      if (mediaType === 'audio') expect(moment).not.toHaveProperty('audioBufferMs');
    for (const { moment } of eventsOf(play({}).log, 'decision'))
      expect(moment).not.toHaveProperty('audioBufferMs');
  });
});

describe('what is buffered', () => {
  test('the next segment is due while it fits under the target; else the player looks again every 500 ms', () => {
    const { requests } = play({ bufferTargetMs: 4000, bufferTargetAtTopMs: 4000 });
    // Segment 0 arrives at 400 and plays; 2 s + 2 s are not below 4 s, a moment later they are.
    expect(requests.map(({ atMs }) => atMs)).toEqual([0, 900, 2600, 4800, 6500]);
  });

  test('a target below a segment still loads one', () => {
    const { outcome } = play({ bufferTargetMs: 500, bufferTargetAtTopMs: 500 });
    expect(outcome.rungs).toHaveLength(5);
  });

  test('the top rung has a target of its own', () => {
    const top = scripted(() => ({ rung: 1 }));
    const settings = { bufferTargetMs: 1e6, bufferTargetAtTopMs: 4000 };
    expect(play(settings, { rule: top }).requests[1]!.atMs).toBe(900);
    expect(play(settings).requests[1]!.atMs).toBe(400);
  });

  test('a hold lets the buffer fall to its level, and then the rule is asked again', () => {
    const asked: number[] = [];
    const rule = scripted(({ nowMs, bufferMs, segment }) => {
      if (segment === 2) asked.push(nowMs, bufferMs);
      return { rung: 0, ...(segment === 2 && bufferMs > 1000 && { holdUntilBufferMs: 1000 }) };
    });
    const { log, requests } = play({}, { rule });
    // Segment 1 is there at 600 with 3800 ms of buffer; 1000 are left 2800 ms later.
    expect(asked.slice(0, 4)).toEqual([600, 3800, 3400, 1000]);
    expect(requests[2]).toMatchObject({ segment: 2, atMs: 3400 });
    // An answer that repeats the one before is no new decision: one decision, with the hold, led to the request.
    const decisions = eventsOf(log, 'decision').filter(({ segment }) => segment === 2);
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({ atMs: 600, holdUntilBufferMs: 1000, requestId: requests[2]!.id });
    expect(eventsOf(log, 'rule-input').map(({ input }) => input.kind)).toContain('idle');
  });

  test('a hold that ends with another rung is two decisions', () => {
    const rule = scripted(({ bufferMs, segment }) => {
      if (segment !== 2) return { rung: 0 };
      return bufferMs > 1000 ? { rung: 0, holdUntilBufferMs: 1000 } : { rung: 1 };
    });
    const { log, outcome } = play({}, { rule });
    expect([...outcome.rungs]).toEqual([0, 0, 1, 0, 0]);
    const decisions = eventsOf(log, 'decision').filter(({ segment }) => segment === 2);
    expect(decisions.map(({ rung, requestId }) => [rung, requestId === null])).toEqual([
      [0, true],
      [1, false],
    ]);
  });
});

describe('init segments', () => {
  const content = only(track({ initBytes: [1250, 1250], segments: 6 }));
  const everyOther = scripted(({ segment }) => ({ rung: (segment ?? 0) % 2 }));
  const inits = (settings: Partial<PlayerModelSettings>) =>
    play(settings, { content, rule: everyOther }).requests.filter(({ type }) => type === 'init').length;

  test('once per rung with a cache, at every switch without', () => {
    expect(inits({ cacheInitSegments: true })).toBe(2);
    expect(inits({ cacheInitSegments: false })).toBe(6);
  });

  test('reach no rule, and carry no segment number', () => {
    const { log, requests } = play({}, { content });
    expect(requests[0]).toMatchObject({ type: 'init', segment: null, receivedBytes: 1250 });
    expect(eventsOf(log, 'rule-input').filter(({ input }) => input.kind === 'download')).toHaveLength(6);
  });
});

describe('stalls', () => {
  test('last from the end of the buffer to the arrival', () => {
    // Segment 0 is there at 400, segment 1 at 600; then the path is dead for 10 s. Both play until 4400.
    const trace = through([
      [600, 1000],
      [10_600, 0],
      [1e9, 1000],
    ]);
    const { outcome, log } = play({}, { trace });
    // Segment 2 was requested at 600, its answer comes at 700 and needs 100 ms of the path: 10,700.
    expect(eventsOf(log, 'stall')).toMatchObject([{ atMs: 4400, durationMs: 6300, playheadMs: 4000 }]);
    expect(outcome.stalls).toBe(1);
    expect([...outcome.waitMs]).toEqual([400, 0, 6300, 0, 0]);
    const input = eventsOf(log, 'rule-input').filter(({ input: event }) => event.kind === 'stall');
    expect(input).toMatchObject([{ atMs: 10_700, input: { atMs: 4400, durationMs: 6300 } }]);
  });
});

describe('seeks', () => {
  const content = only(track({ segments: 30 }));
  const targets = { bufferTargetMs: 6000, bufferTargetAtTopMs: 6000 };

  test('out of the buffer: what is on its way is given up, the wait is no stall', () => {
    const slow = only(track({ segments: 30, sizesBytes: [Array<number>(30).fill(62_500), []] }));
    // Segment 0: 300 + 500 = 800. Segment 1: 900 to 1400, segment 2 first byte at 1500.
    const { outcome, log, requests } = play(
      { ...targets, seeks: [{ atMs: 1600, toMs: 41_000 }] },
      { content: slow },
    );
    expect(requests[2]).toMatchObject({ segment: 2, outcome: 'aborted', receivedBytes: 12_500, endMs: 1600 });
    expect(requests[3]).toMatchObject({ segment: 20, atMs: 1600, outcome: 'ok' });
    expect(eventsOf(log, 'seek')).toMatchObject([{ atMs: 1600, fromMs: 800, toMs: 41_000, waitMs: 600 }]);
    expect(outcome.stalls).toBe(0);
    // Segment 0, then 20 to 29.
    expect(outcome.rungs).toHaveLength(11);
    const received = eventsOf(log, 'rule-input').map(({ input }) => input);
    expect(received).toContainEqual({ kind: 'seek', atMs: 1600, toMs: 41_000 });
    expect(received.filter((event) => event.kind === 'download' && event.aborted)).toMatchObject([
      { segment: 2, sizeBytes: 12_500 },
    ]);
  });

  test('within the buffer: playback goes on at once', () => {
    const { log, outcome } = play({ ...targets, seeks: [{ atMs: 1000, toMs: 3000 }] }, { content });
    expect(eventsOf(log, 'seek')).toMatchObject([{ fromMs: 600, toMs: 3000, waitMs: 0 }]);
    expect(outcome.rungs).toHaveLength(30);
  });

  test('one overtaken by the next has no wait; before the first frame nobody can seek', () => {
    const seeks = [
      { atMs: 0, toMs: 20_000 },
      { atMs: 450, toMs: 40_000 },
    ];
    const { log } = play({ ...targets, seeks }, { content });
    const recorded = eventsOf(log, 'seek');
    expect(recorded.map(({ atMs, waitMs }) => [atMs, waitMs])).toEqual([
      [400, null],
      [450, 200],
    ]);
  });

  test('past the end: the last millisecond', () => {
    const { log } = play({ seeks: [{ atMs: 1000, toMs: 1e9 }] }, { content });
    expect(eventsOf(log, 'seek')).toMatchObject([{ toMs: 59_999 }]);
  });
});

describe('live', () => {
  test('a segment is requested when it has been made', () => {
    const { requests, log } = play({ live: { delayMs: 6000 } });
    // Segments 0 to 2 are there at 0; then one every 2 s.
    expect(requests.map(({ atMs }) => atMs)).toEqual([0, 400, 600, 2000, 4000]);
    expect(eventsOf(log, 'manifest')).toMatchObject([{ type: 'dynamic', durationMs: null }]);
    const [, playing] = eventsOf(log, 'playback');
    expect(playing).toMatchObject({ state: 'playing', liveLatencyMs: 6400 });
    expect(eventsOf(log, 'decision')[3]!.moment).toMatchObject({ segmentsLeft: null, liveLatencyMs: 6400 });
  });

  test('a player close to the edge stalls for what is not made yet', () => {
    const { outcome } = play({ live: { delayMs: 2000 } });
    // Segment n is there at 2000 n + 200; segment 0 at 400 and plays until 2400. Never too late, never early.
    expect(outcome.stalls).toBe(0);
    expect(play({ live: { delayMs: 0 } }).joinMs).toBe(2400);
  });
});

test('on a steady path that always stalls both models have the same waits', () => {
  const scene: Scene = { trace: steady(200), content: envivio, rule: lowest as Rule, seed: 1 };
  const settings = {
    protocol: 'h3' as const,
    earlyData: true,
    rttMs: 80,
    bufferTargetMs: 1e9,
    startRung: 0,
    payload: CHUNK_RULES.payload,
  } satisfies Partial<PlayerModelSettings>;
  const player = playerModelWith(settings).simulate(scene);
  const chunk = chunkModel.simulate(scene);
  expect(player.stalls).toBe(47);
  // The chunk model's first rung is 1.
  expect([...player.waitMs.subarray(1)].map(toUs)).toEqual([...chunk.waitMs.subarray(1)].map(toUs));
});
const toUs = (ms: number): number => Math.round(ms * 1000);

test('settings that nothing can be played with are refused', () => {
  expect(() => playerModelWith({ payload: 0 })).toThrow(
    'payload of the player model is 0; it must be a number from 0.01 to 1.',
  );
  expect(() => playerModelWith({ connections: 1.5 })).toThrow('a whole number from 1.');
  expect(() => playerModelWith({ seeks: [{ atMs: NaN, toMs: 0 }] })).toThrow('atMs of a seek');
});

test('a rung that is not there ends the session with a sentence', () => {
  const rule = scripted(() => ({ rung: 7 }));
  const scene = { trace: steady(1000), content: only(track()), rule, seed: 1 };
  expect(() => playerModelWith({}).simulate(scene)).toThrow(
    'The rule scripted returned the index 7; the levels have the indices 0 to 1.',
  );
});
