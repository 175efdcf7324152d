import { describe, expect, test } from 'vitest';
import { eventsOf, only, play, scripted, steady, through, track } from './playByHand.testing.ts';

// A body of 12,500 bytes takes 100 ms at 1000 kbit/s; h2 has a handshake of 200 ms, and a latency of 100 ms.
const content = only(track());

describe('a request that takes too long', () => {
  /** Nothing comes from 450 ms on, for so long. */
  const outage = (untilMs: number): ReturnType<typeof through> =>
    through([
      [450, 1000],
      [untilMs, 1e-6],
      [1e9, 1000],
    ]);

  test('is given up, and made again after a second at the same level', () => {
    const asked: (number | null)[] = [];
    const rule = scripted(({ segment }) => {
      asked.push(segment);
      return { rung: segment === 1 ? 1 : 0 };
    });
    const { requests, outcome } = play(
      { protocol: 'h2', timeoutMs: 2000 },
      { content, rule, trace: outage(4000) },
    );
    expect(
      requests
        .slice(0, 4)
        .map((each) => [
          ...[each.segment, each.rung, each.attempt],
          ...[Math.round(each.startMs!), each.outcome],
        ]),
    ).toEqual([
      [0, 0, 0, 0, 'ok'],
      [1, 1, 0, 400, 'timeout'],
      [1, 1, 1, 3400, 'ok'],
      [2, 0, 0, 4100, 'ok'],
    ]);
    expect(requests[1]).toMatchObject({ endMs: 2400, receivedBytes: 0, lastByteMs: null });
    // The connection of h2 stays.
    expect(requests[2]).toMatchObject({ connectionReused: true, firstByteMs: 3500 });
    expect(requests[2]!.lastByteMs).toBeCloseTo(4100, 5);
    // The rule is not asked again; `play` plays twice.
    expect(asked).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    expect(outcome.rungs).toHaveLength(5);
    expect(outcome.stalls).toBe(1);
    expect(outcome.waitMs[1]).toBeCloseTo(4100 - 2400, 5);
  });

  test('takes its connection of HTTP/1.1 with it', () => {
    const { requests } = play({ protocol: 'h1', timeoutMs: 2000 }, { content, trace: outage(4000) });
    expect(requests.slice(1, 3).map(({ outcome, connectionReused }) => [outcome, connectionReused])).toEqual([
      ['timeout', true],
      ['ok', false],
    ]);
  });

  test('tells the rules what of it came, as of one that was aborted', () => {
    // The first 50 ms of the second segment come.
    const trace = through([
      [550, 1000],
      [4000, 1e-6],
      [1e9, 1000],
    ]);
    const { log } = play({ protocol: 'h2', timeoutMs: 2000 }, { content, trace });
    const downloads = eventsOf(log, 'rule-input').flatMap(({ input }) =>
      input.kind === 'download' ? [input] : [],
    );
    expect(downloads[1]).toMatchObject({ aborted: true, sizeBytes: 6250, lastByteMs: 2400 });
  });

  test('is chosen anew after four failures, and playback ends when that has lasted two minutes', () => {
    const levels = [0, 1, 1, 0];
    const { requests, log, outcome } = play(
      { protocol: 'h2', timeoutMs: 15_000 },
      {
        content,
        rule: scripted(({ nowMs }) => ({ rung: levels[nowMs < 1 ? 0 : nowMs < 60_000 ? 1 : 3]! })),
        trace: outage(1e8),
      },
    );
    // Four times 15 s, and 1 s between them; then after 1 s, after 2 s, and after 4 s.
    const rounds = [400, 400 + 63_000 + 1000, 400 + 126_000 + 3000];
    expect(
      requests.slice(1).map(({ startMs, rung, attempt, outcome: end }) => [startMs, rung, attempt, end]),
    ).toEqual(
      rounds.flatMap((roundMs, round) =>
        [0, 1, 2, 3].map((attempt) => [roundMs + 16_000 * attempt, round === 0 ? 1 : 0, attempt, 'timeout']),
      ),
    );
    const endMs = rounds[2]! + 63_000;
    expect(eventsOf(log, 'playback').at(-1)).toMatchObject({ state: 'stopped', atMs: endMs });
    expect(eventsOf(log, 'error').map(({ code, fatal, message }) => [code, fatal, message])).toEqual([
      ...rounds.map(() => ['dashjs-27', false, 'The video segment 1 did not come in time, four times.']),
      [
        'ended',
        true,
        'The video segment 1 did not come in time, four times, and nothing came since. Playback ends here.',
      ],
    ]);
    expect(outcome.rungs).toHaveLength(1);
  });

  test('that is answered in a later round plays on', () => {
    const { requests, log, outcome } = play(
      { protocol: 'h2', timeoutMs: 15_000 },
      { content, trace: outage(100_000) },
    );
    expect(requests.filter(({ outcome: end }) => end === 'timeout')).toHaveLength(4 + 2);
    expect(outcome.rungs).toHaveLength(5);
    expect(eventsOf(log, 'error').some(({ fatal }) => fatal)).toBe(false);
  });

  test('ends a session that has not begun', () => {
    const { log, outcome } = play(
      { protocol: 'h2', timeoutMs: 2000 },
      { content, trace: through([[1e9, 1e-6]]) },
    );
    expect(outcome).toMatchObject({ stalls: 0 });
    expect(outcome.rungs).toHaveLength(0);
    expect(eventsOf(log, 'playback').map(({ state }) => state)).toEqual(['play-requested', 'stopped']);
  });

  test('is waited for as long as the settings say, and for ever where they say nothing', () => {
    const trace = outage(400_000);
    const ends = (timeoutMs: number | null) =>
      play({ protocol: 'h2', timeoutMs }, { content, trace }).requests.map(({ outcome: end }) => end);
    expect(ends(null)).toEqual(Array(5).fill('ok'));
    expect(ends(120_000).slice(0, 5)).toEqual(['ok', 'timeout', 'timeout', 'timeout', 'ok']);
  });

  test('of sound is made again beside video', () => {
    const both = { ...content, audio: track({ segmentMs: 2000 }) };
    const { requests, outcome } = play(
      { protocol: 'h3', timeoutMs: 2000 },
      { content: both, trace: outage(4000) },
    );
    const late = requests.filter(({ outcome: end }) => end === 'timeout');
    expect(new Set(late.map(({ mediaType }) => mediaType))).toEqual(new Set(['video', 'audio']));
    expect(outcome.rungs).toHaveLength(5);
  });
});

test('no request of a session that has time is given up', () => {
  const { requests } = play({}, { content, trace: steady(1000) });
  expect(requests.every(({ attempt, outcome }) => attempt === 0 && outcome === 'ok')).toBe(true);
});
