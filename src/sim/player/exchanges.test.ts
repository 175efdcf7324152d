import { expect, test } from 'vitest';
import { handshakeDelays, requestDelayMs, type PacketFate } from './exchanges.ts';

/** Loses these packets of those that are sent one after the other, counted from 1. */
function losing(...packets: number[]): PacketFate {
  let sent = 0;
  return { isLost: () => packets.includes((sent += 1)) };
}

test('without losses an exchange takes no longer', () => {
  const nothing = { transportMs: 0, secureMs: 0 };
  for (const fate of [null, losing()])
    for (const kind of ['tcp', 'quic'] as const)
      expect(handshakeDelays(fate, { kind, rttMs: 100 })).toEqual(nothing);
  expect(requestDelayMs(null, 'tcp', 100)).toBe(0);
});

test('a lost SYN, or what answers it, costs a second, the fifth repeat two', () => {
  const delays = (...packets: number[]) => handshakeDelays(losing(...packets), { kind: 'tcp', rttMs: 100 });
  // Each try is a packet up and one down.
  expect(delays(1)).toEqual({ transportMs: 1000, secureMs: 0 });
  expect(delays(2)).toEqual({ transportMs: 1000, secureMs: 0 });
  expect(delays(1, 3, 5, 7, 9).transportMs).toBe(4 * 1000 + 2000);
});

test('a lost packet of TLS costs two round trips, of QUIC three times 333 ms, each repeat twice as much', () => {
  const tcp = (...packets: number[]) =>
    handshakeDelays(losing(...packets), { kind: 'tcp', rttMs: 100 }).secureMs;
  // The first two packets are TCP's own.
  expect([tcp(3), tcp(5), tcp(3, 6)]).toEqual([200, 200, 200 + 400]);
  const quic = (...packets: number[]) => handshakeDelays(losing(...packets), { kind: 'quic', rttMs: 100 });
  expect(quic(1)).toEqual({ transportMs: 0, secureMs: 999 });
  expect(quic(2, 6).secureMs).toBe(999 + 1998);
});

test('a lost request waits for the time-out over TCP, for the probe over QUIC', () => {
  expect(requestDelayMs(losing(1), 'tcp', 100)).toBe(300);
  expect(requestDelayMs(losing(1, 2), 'tcp', 100)).toBe(300 + 600);
  expect(requestDelayMs(losing(1, 2), 'quic', 100)).toBe(126 + 252);
});

test('a path that loses everything ends the repeats', () => {
  const all: PacketFate = { isLost: () => true };
  expect(requestDelayMs(all, 'quic', 100)).toBe(126 * (2 ** 6 - 1));
});
