import type { ConnectionAttempt, PacketFacts } from './packetFacts.ts';

/** An attempt that was answered and could be used; change what the test is about. Times are ms. */
export function exampleAttempt(
  protocol: ConnectionAttempt['protocol'],
  startUnixMs: number,
  changes: Partial<ConnectionAttempt> = {},
): ConnectionAttempt {
  const readyUnixMs = startUnixMs + (protocol === 'quic' ? 42 : 83);
  return {
    protocol,
    client: { address: '198.51.100.1', port: 50_000 + (startUnixMs % 10_000) },
    server: { address: '203.0.113.1', port: 443 },
    startUnixMs,
    firstUnixMs: startUnixMs,
    lastUnixMs: startUnixMs + 60_000,
    answeredUnixMs: startUnixMs + 40,
    readyUnixMs,
    unansweredUnixMs: null,
    end: null,
    serverName: 'a.test',
    alpn: protocol === 'quic' ? ['h3'] : ['h2', 'http/1.1'],
    version: protocol === 'quic' ? 'v1' : null,
    zeroRtt: false,
    sentBytes: 3000,
    receivedBytes: 6000,
    sentPackets: 10,
    receivedPackets: 10,
    ...changes,
  };
}

/** An attempt that got no answer until `lastUnixMs`; `end`: it was closed there. */
export const exampleSilence = (
  startUnixMs: number,
  lastUnixMs: number,
  end: ConnectionAttempt['end'] = null,
): ConnectionAttempt =>
  exampleAttempt('quic', startUnixMs, {
    lastUnixMs,
    end,
    answeredUnixMs: null,
    readyUnixMs: null,
    unansweredUnixMs: startUnixMs,
  });

export const exampleFacts = (
  attempts: readonly ConnectionAttempt[],
  changes: Partial<PacketFacts> = {},
): PacketFacts => ({
  attempts,
  spanUnixMs: { from: 0, to: 100_000 },
  h3ByDns: new Map(),
  lacking: [],
  ...changes,
});
