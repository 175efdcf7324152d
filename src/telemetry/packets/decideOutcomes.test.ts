import { describe, expect, test } from 'vitest';
import { decideOutcomes } from './decideOutcomes.ts';
import { exampleAttempt, exampleFacts, exampleSilence } from './examplePackets.testing.ts';
import type { ConnectionAttempt, PacketFacts } from './packetFacts.ts';

/** Requests as [begin, first byte, attempt]; those of the first connection over TCP teach the browser Alt-Svc at 150 ms. */
type Asked = readonly [startUnixMs: number, firstByteUnixMs: number, attempt: ConnectionAttempt];

const FIRST = exampleAttempt('tcp', 5, { end: { atUnixMs: 900, how: 'fin', by: 'client' } });
const LEARNED: Asked = [0, 150, FIRST];

function outcomesOf(
  attempts: readonly ConnectionAttempt[],
  asked: readonly Asked[],
  changes: Partial<PacketFacts> = {},
): string[] {
  const requests = asked.map(([startUnixMs, firstByteUnixMs, attempt]) => ({
    startUnixMs,
    firstByteUnixMs,
    attempt,
  }));
  return decideOutcomes(exampleFacts(attempts, changes), requests).map(({ outcome }) => outcome);
}

describe('with h3 from Alt-Svc', () => {
  test('QUIC wins the requests that wait for it, and later ones use it again', () => {
    const quic = exampleAttempt('quic', 1003);
    const tcp = exampleAttempt('tcp', 1020);
    const asked: Asked[] = [LEARNED, [1000, 1100, quic], [1030, 1100, quic], [1200, 1250, quic]];
    expect(outcomesOf([FIRST, quic, tcp], asked)).toEqual([
      ...['main-alone', 'alternative-won', 'alternative-won', 'alternative-reused'],
    ]);
  });

  test('TCP wins while QUIC still tries, on a new connection and on an open one', () => {
    const slow = exampleAttempt('quic', 1003, { readyUnixMs: 1900 });
    const tcp = exampleAttempt('tcp', 1020);
    expect(outcomesOf([FIRST, slow, tcp], [LEARNED, [1000, 1200, tcp], [2000, 2050, slow]])).toEqual([
      ...['main-alone', 'main-won', 'alternative-reused'],
    ]);
    const later = exampleAttempt('quic', 203);
    expect(outcomesOf([FIRST, later], [LEARNED, [200, 240, FIRST], [300, 340, later]])).toEqual([
      ...['main-alone', 'main-won', 'alternative-reused'],
    ]);
  });

  test('a request that began before Alt-Svc came is alone, although QUIC begins just behind it', () => {
    const quic = exampleAttempt('quic', 155);
    expect(outcomesOf([FIRST, quic], [LEARNED, [130, 190, FIRST], [152, 210, FIRST]])).toEqual([
      ...['main-alone', 'main-alone', 'main-won'],
    ]);
  });

  test('what a preconnect began is the race of the first request on it', () => {
    const quic = exampleAttempt('quic', 1000);
    expect(outcomesOf([FIRST, quic], [LEARNED, [1300, 1340, quic], [1400, 1440, quic]])).toEqual([
      ...['main-alone', 'alternative-won', 'alternative-reused'],
    ]);
  });

  test('QUIC that is closed before TCP is ready has failed, and after it nothing else is tried', () => {
    const end = { atUnixMs: 1040, how: 'unreachable', by: 'path' } as const;
    const refused = exampleSilence(1003, 1003, end);
    const tcp = exampleAttempt('tcp', 1020);
    const asked: Asked[] = [LEARNED, [1000, 1200, tcp], [2000, 2040, tcp]];
    expect(outcomesOf([FIRST, refused, tcp], asked)).toEqual([
      'main-alone',
      'main-after-quic-failed',
      'main-broken',
    ]);
  });

  test('a request that died with QUIC and is asked for again over TCP is alone in its last race', () => {
    const end = { atUnixMs: 5003, how: 'close', by: 'client' } as const;
    const died = exampleSilence(1003, 5003, end);
    const tcp = exampleAttempt('tcp', 5010);
    expect(outcomesOf([FIRST, died, tcp], [LEARNED, [1000, 5200, tcp]])).toEqual([
      'main-alone',
      'main-alone',
    ]);
  });

  test('QUIC without an answer is pending until it is closed, then broken', () => {
    const end = { atUnixMs: 5003, how: 'close', by: 'client' } as const;
    const silent = exampleSilence(1003, 5003, end);
    const tcp = exampleAttempt('tcp', 1020);
    const asked: Asked[] = [LEARNED, [1000, 1200, tcp], [4000, 4040, tcp], [6000, 6040, tcp]];
    expect(outcomesOf([FIRST, silent, tcp], asked)).toEqual([
      ...['main-alone', 'main-won', 'main-won', 'main-broken'],
    ]);
  });

  test('a connection that fell silent under its requests has failed, one that was idle has not', () => {
    const tcp = exampleAttempt('tcp', 9000);
    const quic = (unansweredUnixMs: number, lastUnixMs: number): ConnectionAttempt =>
      exampleAttempt('quic', 1003, { unansweredUnixMs, lastUnixMs });
    const silent = quic(4000, 8000);
    expect(outcomesOf([FIRST, silent, tcp], [LEARNED, [1000, 1100, silent], [8900, 9200, tcp]]).at(-1)).toBe(
      'main-broken',
    );
    const closed = quic(8000, 8000);
    expect(outcomesOf([FIRST, closed, tcp], [LEARNED, [1000, 1100, closed], [8900, 9200, tcp]]).at(-1)).toBe(
      'main-alone',
    );
  });
});

test('with h3 from DNS, a request waits for the answer and has its race', () => {
  const [quic, tcp] = [exampleAttempt('quic', 33), exampleAttempt('tcp', 35)];
  const h3ByDns = new Map([['a.test', 30]]);
  expect(
    outcomesOf(
      [quic, tcp],
      [
        [0, 120, quic],
        [200, 240, quic],
      ],
      { h3ByDns },
    ),
  ).toEqual(['dns-alpn-won', 'dns-alpn-reused']);
  const slow = exampleAttempt('quic', 33, { readyUnixMs: 500 });
  expect(
    outcomesOf(
      [slow, tcp],
      [
        [0, 200, tcp],
        [600, 640, slow],
      ],
      { h3ByDns },
    ),
  ).toEqual(['main-won', 'dns-alpn-reused']);
});

describe('what the capture does not show is unknown:', () => {
  test('how h3 was known', () => {
    const quic = exampleAttempt('quic', 3);
    expect(outcomesOf([quic], [[0, 90, quic]])).toEqual(['unknown']);
  });

  test('that no QUIC was tried, where packets are missing', () => {
    expect(outcomesOf([FIRST], [LEARNED], { lacking: ['It lacks packets.'] })).toEqual(['unknown']);
  });

  test('what became of a connection that began before', () => {
    const before = exampleAttempt('quic', 3, { startUnixMs: null, readyUnixMs: null });
    expect(outcomesOf([FIRST, before], [[300, 340, before]])).toEqual(['unknown']);
  });
});

test('another host knows nothing of it', () => {
  const [quic, other] = [exampleAttempt('quic', 1003), exampleAttempt('tcp', 1010, { serverName: 'b.test' })];
  expect(outcomesOf([FIRST, quic, other], [LEARNED, [1000, 1100, quic], [1000, 1200, other]])).toEqual([
    ...['main-alone', 'alternative-won', 'main-alone'],
  ]);
});
