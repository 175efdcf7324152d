import { describe, expect, it } from 'vitest';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { checkSession } from '../schema/readSession.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { withTransport } from './joinTransport.ts';
import { requestsByConnection, transportOfOrigin, type OriginSample } from './transportOfOrigin.ts';

const over = (id: string, connection: string) =>
  exampleRequest({
    id,
    serverTiming: [
      { name: 'rtt', durationMs: 50, description: '' },
      { name: 'connection', durationMs: 0, description: connection },
    ],
  });
const log: SessionLog = exampleLog({
  segments: 0,
  extra: [
    over('a1', '7'),
    over('a2', '9'),
    over('a3', '7'),
    over('a4', 'seven'),
    exampleRequest({ id: 'a5' }),
  ],
});
const zero = log.clock.startedAtUnixMs;

const sample = (atMs: number, changes: Partial<OriginSample> = {}): OriginSample => ({
  atUnixMs: zero + atMs,
  event: 'sample',
  connection: 7,
  protocol: 'h2',
  controller: 'cubic',
  rttMs: 50.12345,
  minRttMs: 50,
  rttVarMs: 2,
  cwndBytes: 14_480,
  inFlightBytes: 0,
  sentPackets: 10,
  lostPackets: null,
  retransmittedPackets: 0,
  deliveryRateKbps: 4827.44,
  appLimited: false,
  ...changes,
});
const eventsOf = (reported: readonly OriginSample[], isShared = false) =>
  transportOfOrigin(log, reported, { isShared });

describe('the transport of a session as its origin reported it', () => {
  it('is a valid log with an event for each connection and the requests that it carried', () => {
    const reported = [
      sample(20, { event: 'opened' }),
      sample(30, { connection: 9, protocol: 'h3', lostPackets: 3, retransmittedPackets: null }),
      sample(120, { cwndBytes: 20_000 }),
      sample(150, { event: 'closed', cwndBytes: 20_000 }),
    ];
    const joined = withTransport(log, 'origin', eventsOf(reported));
    expect(checkSession(JSON.parse(JSON.stringify(joined)))).toMatchObject({ ok: true });
    expect(joined.events.slice(log.events.length)).toMatchObject([
      {
        atMs: 20,
        source: 'origin',
        requestId: null,
        connectionId: '7',
        origin: {
          protocol: 'h2',
          controller: 'cubic',
          openedMs: 20,
          closedMs: 150,
          requestIds: ['a1', 'a3'],
          samples: [
            { atMs: 20, rttMs: 50.123, deliveryRateKbps: 4827.4 },
            { atMs: 120, cwndBytes: 20_000 },
            { atMs: 150 },
          ],
        },
      },
      {
        connectionId: '9',
        origin: { protocol: 'h3', openedMs: null, closedMs: null, requestIds: ['a2'] },
      },
    ]);
  });

  it('names a segment in ranges at each connection that carried some of it, once', () => {
    const range = (connection: string) => ({
      range: '0-9',
      status: 206,
      receivedBytes: 10,
      protocol: 'http/1.1',
      connectionReused: true,
      startMs: 1,
      firstByteMs: 2,
      lastByteMs: 3,
      missing: {},
      serverTiming: [{ name: 'connection', durationMs: 0, description: connection }],
    });
    const split = { ...over('a1', '7'), ranges: ['7', '9', '7'].map(range) };
    expect([...requestsByConnection({ events: [split, over('a2', '9')] })]).toEqual([
      [7, ['a1']],
      [9, ['a1', 'a2']],
    ]);
  });

  it('joined again replaces what it had reported', () => {
    const once = withTransport(log, 'origin', eventsOf([sample(20)]));
    expect(withTransport(once, 'origin', eventsOf([sample(20)])).events).toEqual(once.events);
  });

  it('leaves out samples in which nothing changed, but not the last', () => {
    const reported = [10, 20, 30, 40, 50].map((atMs) =>
      sample(atMs, { inFlightBytes: atMs === 30 ? 1000 : 0 }),
    );
    const times = eventsOf(reported).map(({ origin }) => origin?.samples.map(({ atMs }) => atMs));
    expect(times).toEqual([[10, 30, 40, 50]]);
  });

  it('keeps out what was before and after the session', () => {
    const endMs = Math.max(...log.events.map(({ atMs }) => atMs), log.parts.at(-1)?.endMs ?? 0);
    expect(eventsOf([sample(-5), sample(endMs + 1)])).toEqual([]);
    const [event] = eventsOf([
      sample(-5, { event: 'opened' }),
      sample(10),
      sample(endMs + 1, { event: 'closed' }),
    ]);
    expect(event?.origin).toMatchObject({ openedMs: null, closedMs: null, samples: [{ atMs: 10 }] });
  });

  it('takes of a shared origin only connections that the session used', () => {
    const reported = [sample(10), sample(10, { connection: 8 })];
    expect(eventsOf(reported).map(({ connectionId }) => connectionId)).toEqual(['7', '8']);
    expect(eventsOf(reported, true).map(({ connectionId }) => connectionId)).toEqual(['7']);
  });
});
