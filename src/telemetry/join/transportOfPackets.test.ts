import { describe, expect, test } from 'vitest';
import type { TransportEvent } from '../event.ts';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { exampleAttempt, exampleFacts, exampleSilence } from '../packets/examplePackets.testing.ts';
import { checkSession } from '../schema/readSession.ts';
import { withTransport } from './joinTransport.ts';
import { carriedBy, transportOfPackets, type AnsweredRequest } from './transportOfPackets.ts';
import { inconsistencies } from './transportSources.ts';

const log = exampleLog({
  segments: 0,
  extra: [1, 2].map((place) =>
    exampleRequest({
      id: `a${place}`,
      url: `https://a.test:8443/${place}.m4s`,
      atMs: 1000 * place,
      startMs: 1000 * place,
      firstByteMs: 1000 * place + 200,
      lastByteMs: 1000 * place + 210,
      endMs: 1000 * place + 210,
      encodedBodyBytes: null,
      receivedBytes: null,
    }),
  ),
});
const zero = log.clock.startedAtUnixMs;
const silent = exampleSilence(zero + 1003, zero + 5003, {
  atUnixMs: zero + 5003,
  how: 'close',
  by: 'client',
});
const tcp = exampleAttempt('tcp', zero + 1010, { client: { address: '198.51.100.1', port: 40_001 } });
const other = exampleAttempt('tcp', zero + 1010, { serverName: 'b.test' });
const facts = exampleFacts([silent, tcp, other], { h3ByDns: new Map([['a.test', zero + 1000]]) });

const answered = (
  name: string,
  startMs: number,
  changes: Partial<AnsweredRequest> = {},
): AnsweredRequest => ({
  host: 'a.test:8443',
  uri: `/${name}`,
  method: 'GET',
  overQuic: false,
  clientPort: 40_001,
  startUnixMs: zero + startMs,
  endUnixMs: zero + startMs + 50,
  sizeBytes: 5,
  ...changes,
});
const answers = [answered('1.m4s', 1130), answered('2.m4s', 2030)];
const events = transportOfPackets(log, facts, answers);
const reported = withTransport(log, 'packets', events);

describe('a capture of a session', () => {
  test('makes a valid log, with the race of each request and the connections of its hosts', () => {
    expect(checkSession(JSON.parse(JSON.stringify(reported)))).toMatchObject({ ok: true });
    expect(events.filter(({ requestId }) => requestId !== null)).toMatchObject([
      {
        requestId: 'a1',
        connectionId: '2',
        races: [{ outcome: 'main-won', startMs: 1000, endMs: 1093, orphanEndMs: 5003, connectionId: '2' }],
      },
      { requestId: 'a2', races: [{ outcome: 'main-won', startMs: 2000, endMs: 2000 }] },
    ]);
    expect(
      events.flatMap(({ connectionId, connection }) => (connection ? [[connectionId, connection]] : [])),
    ).toMatchObject([
      [
        '1',
        {
          transport: 'quic',
          startMs: 1003,
          handshakeMs: null,
          endMs: 5003,
          close: 'close',
          closedByPeer: false,
        },
      ],
      ['2', { transport: 'tcp', startMs: 1010, handshakeMs: 83, endMs: null, close: null }],
    ]);
  });

  test('is compared with the NetLog by the table, in which unknown contradicts nothing', () => {
    const netLog = (outcome: string): TransportEvent => ({
      ...events.find((event) => event.requestId === 'a1')!,
      id: 'x1',
      source: 'netlog',
      connectionId: '40',
      races: [{ outcome, mainDelayMs: null, startMs: 1000, endMs: 1093 }],
    });
    const faultsWith = (outcome: string) =>
      inconsistencies({ ...reported, events: [...reported.events, netLog(outcome)] });
    expect([faultsWith('main-won'), faultsWith('unknown')]).toEqual([[], []]);
    expect(faultsWith('main-alone')).toEqual(['request a1: Packets say main-won, the NetLog main-alone']);
    const blind = withTransport(
      log,
      'packets',
      transportOfPackets(log, exampleFacts([tcp], { lacking: ['a'] }), answers),
    );
    expect(inconsistencies({ ...blind, events: [...blind.events, netLog('main-alone')] })).toEqual([]);
  });
});

describe('an answer belongs to the connection', () => {
  const before = exampleAttempt('tcp', zero - 9000, { client: tcp.client, lastUnixMs: zero - 8000 });
  const joined = (...requests: AnsweredRequest[]) =>
    carriedBy({ attempts: [before, tcp, silent] }, requests).map(({ attempt, url }) => [attempt, url]);

  test('of its transport and port at that time', () => {
    expect(joined(answered('x', 1130))).toEqual([[tcp, 'https://a.test:8443/x']]);
    expect(joined(answered('x', -8500))).toEqual([[before, 'https://a.test:8443/x']]);
  });

  test('and to none of another transport, port or time, or without a port in the log', () => {
    const others = [{ overQuic: true }, { clientPort: 1 }, { clientPort: null }];
    expect(joined(...others.map((change) => answered('x', 1130, change)), answered('x', 700))).toEqual([]);
  });

  test('without TLS has a URL without TLS', () => {
    const plain = { ...tcp, alpn: null };
    expect(carriedBy({ attempts: [plain] }, [answered('x', 1130)])[0]!.url).toBe('http://a.test:8443/x');
  });
});
