import { expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { RequestEvent, TransportEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, playback } from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';

/** Only these events: the example's own manifest rode on h3. */
function logOf(events: readonly SessionEvent[]): SessionLog {
  const log = exampleSession(events);
  return { ...log, events: log.events.filter(({ id }) => id !== 'r1') };
}
const of = (id: string, events: readonly SessionEvent[]) => pick(metrics, id).of(logOf(events));

/** A segment of 1000 bytes asked for at `startMs`, with latency and transfer time. */
const segment = (
  startMs: number,
  times: [latencyMs: number, flowMs: number],
  changes: Partial<RequestEvent> = {},
) =>
  exampleRequest({
    atMs: startMs - 1,
    startMs,
    firstByteMs: startMs + times[0],
    lastByteMs: startMs + times[0] + times[1],
    endMs: startMs + times[0] + times[1],
    receivedBytes: 1000,
    ...changes,
  });
const audio = { mediaType: 'audio', protocol: 'h3' } as const;
const h2 = { protocol: 'h2' } as const;

/** 8000 bit each: video over h3 in 10 + 30 ms, over h2 in 20 + 40 ms, audio over h3 in 50 + 10 ms. */
const THREE = [segment(100, [10, 30]), segment(200, [20, 40], h2), segment(300, [50, 10], audio)];

test.each([
  ['throughput', 24_000 / 80, { h2: 8000 / 40, h3: 16_000 / 40 }],
  ['effective-throughput', 24_000 / 160, { h2: 8000 / 60, h3: 16_000 / 100 }],
  ['throughput-mismatch', 50, { h2: 100 / 3, h3: 60 }],
  ['response-latency', 80 / 3, { h2: 20, h3: 30 }],
  ['response-latency-video', 15, { h2: 20, h3: 10 }],
  ['response-latency-audio', 50, { h3: 50 }],
  ['download-time', 160 / 3, { h2: 60, h3: 50 }],
])('%s of three segments is %d', (id, expected, parts) => {
  const { value, by } = of(id, THREE);
  expect(value).toBeCloseTo(expected, 9);
  expect(Object.keys(by!)).toEqual(Object.keys(parts));
  for (const [name, part] of Object.entries(parts)) expect(by![name]).toBeCloseTo(part, 9);
});

test('a second in which two segments download counts once; a protocol has the time of its own segments', () => {
  // h2 from 100 to 200, its bytes from 120; h3 within it from 110 to 190, its bytes from 150; then h3 alone from 200 to 240
  const overlapping = [segment(100, [20, 80], h2), segment(110, [40, 40], audio), segment(200, [10, 30])];
  expect(of('effective-throughput', overlapping)).toEqual({
    value: 24_000 / 140,
    by: { h2: 8000 / 100, h3: 16_000 / 120 },
  });
  expect(of('throughput', overlapping)).toEqual({
    value: 24_000 / 110,
    by: { h2: 8000 / 80, h3: 16_000 / 70 },
  });
  // The mismatch compares each request with itself: (20 + 40 + 10) of (100 + 80 + 40) ms.
  expect(of('throughput-mismatch', overlapping).value).toBeCloseTo((100 * 70) / 220, 9);
});

test('no throughput is below the bitrate that was played, however much of it audio and video download at once', () => {
  // 2 s of video at 1000 and of audio at 128 kbit/s in each 2 s, both from the first to the last ms of 1.9 s
  const playedKbps = { video: 1000, audio: 128 };
  const events = Array.from({ length: 30 }, (_, index) =>
    (['video', 'audio'] as const).map((mediaType) =>
      segment(1000 + 2000 * index, [10, 1890], {
        mediaType,
        mediaDurationMs: 2000,
        receivedBytes: (playedKbps[mediaType] * 2000) / 8,
      }),
    ),
  ).flat();
  for (const id of ['throughput', 'effective-throughput'])
    expect(of(id, events).value, id).toBeGreaterThan(playedKbps.video + playedKbps.audio);
});

test.each([
  ['a failed one', { outcome: 'network-error' }],
  ['without its first byte', { firstByteMs: null }],
  ['from the cache', { protocol: null, missing: { protocol: 'cached' }, transferSizeBytes: 0 }],
  ['from the cache after a 304', { protocol: null, transferSizeBytes: 300 }],
  ['a manifest', { type: 'manifest', mediaType: null }],
] as const)('what times nothing is left out: %s', (_name, changes) => {
  const { value } = of('download-time', [...THREE, segment(500, [9, 9], changes as Partial<RequestEvent>)]);
  expect(value).toBeCloseTo(160 / 3, 9);
});

test('without audio there is no latency of audio, and without any time no rate', () => {
  expect(of('response-latency-audio', THREE.slice(0, 2)).value).toBeNull();
  expect(of('throughput', [segment(100, [0, 0])]).value).toBeNull();
});

/** Discovery: two over h2, the second still on its way when h3 first answers at 400; one strays to h2 later. */
const FOUND = [
  segment(100, [10, 10], h2),
  segment(380, [10, 90], { ...h2, receivedBytes: 3000 }),
  segment(390, [10, 10]),
  segment(500, [10, 10], h2),
  segment(600, [10, 10]),
  segment(700, [10, 10], { ...audio, protocol: 'h2' }),
];

test('discovery is counted apart, and the step that ends it is no switch', () => {
  expect(of('discovery-requests', FOUND).value).toBe(2);
  // of 8000 bytes 2000 came over h3; without discovery 2000 of 4000
  expect(of('tcp-share', FOUND).value).toBeCloseTo(75, 9);
  expect(of('tcp-share-later', FOUND).value).toBeCloseTo(50, 9);
  expect(of('protocol-switches', FOUND)).toEqual({ value: 2, by: { 'h3 → h2': 1, 'h2 → h3': 1 } });
  expect(of('protocol-switches', FOUND.slice(0, 3)).value).toBe(0);
});

test('where h3 never answers nothing was discovered', () => {
  const only = [segment(100, [10, 10], h2)];
  expect(of('discovery-requests', only).value).toBeNull();
  expect(of('tcp-share-later', only).value).toBeNull();
  expect(of('protocol-switches', only).value).toBe(0);
});

const reported = (changes: Partial<TransportEvent>): SessionEvent => ({
  kind: 'transport',
  id: 't',
  atMs: 0,
  requestId: null,
  source: 'netlog',
  races: [],
  connectionId: '7',
  missing: { requestId: 'not-applicable' },
  ...changes,
});
const race = (outcome: string, startMs: number | null = null, endMs: number | null = null) => ({
  outcome,
  mainDelayMs: null,
  startMs,
  endMs,
});

test('races by outcome: the NetLog before DevTools, discovery apart', () => {
  const about = (requestId: string, outcome: string, source: 'netlog' | 'devtools') =>
    reported({ requestId, source, races: [race(outcome)], missing: {} });
  // exampleSession numbers the events: the first request is x1.
  const devTools = [
    about('x1', 'mainJobWonRace', 'devtools'),
    about('x4', 'alternativeJobWonRace', 'devtools'),
  ];
  const netLog = [about('x1', 'main-won', 'netlog'), about('x4', 'main-broken', 'netlog')];
  expect(of('race-outcomes', [...FOUND, ...devTools]).by).toEqual({
    'mainJobWonRace (discovery)': 1,
    alternativeJobWonRace: 1,
  });
  expect(of('race-outcomes', [...FOUND, ...devTools, ...netLog])).toEqual({
    value: 2,
    by: { 'main-won (discovery)': 1, 'main-broken': 1 },
  });
  expect(of('race-outcomes', FOUND).value).toBeNull();
});

test('races by cause: those of the NetLog that were run, and none without their causes', () => {
  const about = (requestId: string, outcome: string, cause?: string) =>
    reported({ requestId, races: [{ ...race(outcome), ...(cause && { cause }) }], missing: {} });
  const run = [
    about('x1', 'main-won', 'discovery'),
    about('x2', 'alternative-won', 'idle-end'),
    about('x3', 'main-won', 'idle-end'),
    about('x4', 'main-won', 'unknown: the QUIC connection before it ended with QUIC_X'),
  ];
  const notRun = [about('x4', 'alternative-reused'), about('x4', 'failed'), about('x4', 'main-broken')];
  expect(of('races-by-cause', [...FOUND, ...run, ...notRun])).toEqual({
    value: 4,
    by: { discovery: 1, 'idle-end': 2, unknown: 1 },
  });
  expect(of('races-by-cause', [...FOUND, ...notRun])).toEqual({ value: 0, by: {} });
  for (const events of [FOUND, [...FOUND, ...run, about('x4', 'main-won')]])
    expect(of('races-by-cause', events).why).toBe('There is no NetLog with causes of races.');
});

test('broken time: overlaps once, an open period up to the end of the log, none is 0', () => {
  const broken = (startMs: number, endMs: number | null) =>
    reported({ races: [race('broken', startMs, endMs)] });
  const end = playback(10_000, 'stopped');
  expect(of('broken-time', [end, broken(1000, 3000), broken(2000, 4000), broken(9000, null)]).value).toBe(
    4000,
  );
  expect(of('broken-time', [end, reported({})]).value).toBe(0);
  expect(of('broken-time', [end]).value).toBeNull();
});

/** A download of 8000 bits over a connection that the source names. */
const over = (id: string, source: 'netlog' | 'devtools', connectionId: string): SessionEvent =>
  reported({ requestId: id, source, connectionId, missing: {} });

test('the throughput of a connection: its own busy time, by the best source that names connections', () => {
  // exampleSession numbers the events: x1 and x2 are these requests.
  const two = [segment(100, [20, 80], h2), segment(100, [20, 80], { ...h2, mediaType: 'audio' })];
  expect(of('effective-throughput', two).value).toBe(160);
  expect(of('connection-throughput', two)).toEqual({
    value: null,
    why: 'Neither a NetLog nor DevTools nor the instrumented origin names connections.',
  });
  const apart = [over('x1', 'netlog', '7'), over('x2', 'netlog', '8')];
  expect(of('connection-throughput', [...two, ...apart])).toEqual({
    value: 80,
    note: 'Media came over 2 connections.',
    by: { h2: 80 },
  });
  const together = [over('x1', 'devtools', '7'), over('x2', 'devtools', '7')];
  expect(of('connection-throughput', [...two, ...together]).value).toBe(160);
  expect(of('connection-throughput', [...two, ...together, ...apart]).value).toBe(80);
  const origin = { protocol: 'h2', controller: null, openedMs: null, closedMs: null, samples: [] };
  const answered = (connectionId: string, requestIds: string[]) =>
    reported({ source: 'origin', connectionId, origin: { ...origin, requestIds } });
  expect(of('connection-throughput', [...two, answered('1', ['x1', 'x2'])]).value).toBe(160);
  expect(of('connection-throughput', [...two, answered('1', ['x1'])])).toMatchObject({
    value: 80,
    note: 'Media came over 1 connection.',
  });
});

test('a segment in ranges counts for no connection: it may have come over several', () => {
  const range = {
    range: '0-999',
    status: 206,
    receivedBytes: 1000,
    protocol: 'h2',
    connectionReused: true,
    startMs: 100,
    firstByteMs: 120,
    lastByteMs: 200,
    serverTiming: [],
    missing: {},
  };
  const two = [
    segment(100, [20, 80], { ...h2, ranges: [range] }),
    segment(100, [20, 80], { ...h2, mediaType: 'audio' }),
  ];
  const named = [over('x1', 'netlog', '7'), over('x2', 'netlog', '8')];
  expect(of('connection-throughput', [...two, ...named]).value).toBe(80);
  expect(of('connection-throughput', [two[0]!, named[0]!]).value).toBeNull();
});

const connected = (transport: 'quic' | 'tcp', handshakeMs: number | null, zeroRtt: string | null) =>
  reported({
    connection: {
      transport,
      handshakeMs,
      zeroRtt,
      startMs: 0,
      resumed: null,
      endMs: null,
      close: null,
      packetsSent: null,
      packetsReceived: null,
      packetsLost: null,
      closedByPeer: null,
    },
  });

test('handshakes: by transport, 0 where 0-RTT succeeded; the NetLog before Resource Timing', () => {
  const opened = { connectionReused: false, connectStartMs: 100, connectEndMs: 180 };
  const timed = [
    segment(100, [100, 10], { ...h2, ...opened }),
    segment(100, [100, 10], { connectStartMs: 100, connectEndMs: 100 }),
  ];
  expect(of('handshake-time', timed)).toEqual({ value: 80, by: { tcp: 80 } });
  const netLog = [
    connected('quic', 40, 'NotAttempted'),
    connected('quic', 90, 'AttemptedAndSucceeded'),
    connected('quic', null, 'sent'),
    connected('tcp', 50, null),
  ];
  expect(of('handshake-time', [...timed, ...netLog])).toEqual({ value: 30, by: { quic: 20, tcp: 50 } });
  expect(of('handshake-time', [segment(100, [1, 1])]).value).toBeNull();
});

test('protocol overhead: bodies of all requests against the packets that came over the link', () => {
  const found = FOUND.map((event) => ({ ...event, encodedBodyBytes: 800, receivedBytes: 1000 }));
  const over = (receivedWireBytes?: number, requests = found) => {
    const log = logOf(requests);
    const linkRun = {
      network: 'n',
      seed: 1,
      phaseMs: 0,
      leadInMs: 0,
      startedAtUnixMs: 0,
      playDueAtUnixMs: 0,
      udpChanges: [],
      addressChanges: [],
      busyDrops: 0,
      ...(receivedWireBytes !== undefined && { receivedWireBytes }),
    };
    return pick(metrics, 'protocol-overhead').of({ ...log, environment: { ...log.environment, linkRun } });
  };
  // 6 × 800 bytes of 5000
  expect(over(5000).value).toBeCloseTo(4, 9);
  expect(over(5000).by).toBeUndefined();
  const all = (protocol: string) => found.map((event) => ({ ...event, protocol }));
  expect(over(5000, all('h3'))).toEqual({
    value: expect.closeTo(4, 9) as number,
    by: { quic: expect.closeTo(4, 9) as number },
  });
  expect(Object.keys(over(5000, all('http/1.1')).by ?? {})).toEqual(['tcp']);
  expect(Object.keys(over(5000, all('h3-29')).by ?? {})).toEqual(['quic']);
  expect(over(5000, all('a protocol to come')).by).toBeUndefined();
  expect(over().value).toBeNull();
  expect(over(4799).why).toMatch(/More bytes were received/);
  expect(of('protocol-overhead', FOUND).value).toBeNull();
});

test('0-RTT: of the handshakes that came to an end', () => {
  const words = [
    'AttemptedAndSucceeded',
    'AttemptedAndRejected',
    'NotAttempted',
    'AttemptedAndSucceeded',
    'sent',
  ];
  expect(
    of('zero-rtt-share', [...words.map((word) => connected('quic', 9, word)), connected('tcp', 9, null)])
      .value,
  ).toBe(50);
  expect(of('zero-rtt-share', [connected('quic', null, 'sent')]).value).toBeNull();
  expect(of('zero-rtt-share', []).value).toBeNull();
});
