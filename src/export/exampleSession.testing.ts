import { exampleLog, exampleRequest } from '../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Sessions for the tests of all formats. Made up, and every number in them is another, so that none is taken for another. */
const later = (atMs: number, fields: object): SessionEvent =>
  ({ id: `x${atMs}`, atMs, missing: {}, ...fields }) as unknown as SessionEvent;

/** New connection, all phases known, redirected, with headers of a server that reports its connection. */
export const opened = exampleRequest({
  id: 'q1',
  url: 'https://o.test/a/seg-1.m4s?t=*&u=*',
  atMs: 1000,
  startMs: 1001.5,
  fetchStartMs: 1003,
  redirectStartMs: 1001.5,
  redirectEndMs: 1003,
  finalUrl: 'https://p.test/a/seg-1.m4s',
  domainLookupStartMs: 1004,
  domainLookupEndMs: 1007,
  connectStartMs: 1007,
  secureConnectionStartMs: 1012,
  connectEndMs: 1025,
  requestStartMs: 1026,
  firstByteMs: 1050.25,
  lastByteMs: 1100.75,
  endMs: 1101,
  protocol: 'h2',
  connectionReused: false,
  receivedBytes: 5000,
  encodedBodyBytes: 4800,
  decodedBodyBytes: 5000,
  transferSizeBytes: 5100,
  range: '0-4999',
  attempt: 1,
  serverTiming: [
    { name: 'rtt', durationMs: 20.5, description: '' },
    { name: 'cwnd', durationMs: 0, description: '48000' },
    { name: 'connection', durationMs: 0, description: '77' },
  ],
});

/** From an origin that hides its timing. */
export const hidden = exampleRequest({
  id: 'q2',
  atMs: 2000,
  startMs: 2002,
  requestStartMs: null,
  firstByteMs: null,
  lastByteMs: 2090,
  endMs: 2091,
  protocol: null,
  transferSizeBytes: null,
  encodedBodyBytes: null,
  decodedBodyBytes: null,
  missing: { protocol: 'no-tao', requestStartMs: 'no-tao', firstByteMs: 'no-tao' },
});

/** Cancelled half way, without a timing entry. */
export const aborted = exampleRequest({
  id: 'q3',
  atMs: 3000,
  outcome: 'aborted',
  status: null,
  protocol: null,
  receivedBytes: 700,
  endMs: 3300,
  startMs: null,
  fetchStartMs: null,
  requestStartMs: null,
  firstByteMs: null,
  lastByteMs: null,
  transferSizeBytes: null,
  encodedBodyBytes: null,
  decodedBodyBytes: null,
  mediaType: 'audio',
  missing: { startMs: 'aborted', firstByteMs: 'aborted', requestStartMs: 'aborted', protocol: 'aborted' },
});

/** Still running at the end of the log. */
export const running = exampleRequest({
  id: 'q4',
  atMs: 9000,
  outcome: 'in-flight',
  status: null,
  protocol: null,
  receivedBytes: null,
  endMs: null,
  startMs: null,
  fetchStartMs: null,
  requestStartMs: null,
  firstByteMs: null,
  lastByteMs: null,
  transferSizeBytes: null,
  encodedBodyBytes: null,
  decodedBodyBytes: null,
  missing: {
    startMs: 'in-flight',
    firstByteMs: 'in-flight',
    protocol: 'in-flight',
    receivedBytes: 'in-flight',
  },
});

const raced = later(1001, {
  kind: 'transport',
  requestId: 'q1',
  source: 'netlog',
  connectionId: '12',
  races: [
    { outcome: 'alternative-won', mainDelayMs: 25, startMs: 1004, endMs: 1020, netError: -356 },
    { outcome: 'main-won', mainDelayMs: 0, startMs: 1021, endMs: 1025, connectionId: '13' },
  ],
});

const seenByOrigin = later(1002, {
  kind: 'transport',
  requestId: null,
  source: 'origin',
  connectionId: '77',
  races: [],
  missing: { requestId: 'not-applicable' },
  origin: {
    protocol: 'h3',
    controller: 'cubic',
    openedMs: 1000,
    closedMs: null,
    requestIds: ['q1'],
    samples: [
      {
        atMs: 1100,
        rttMs: 21.5,
        minRttMs: 19,
        rttVarMs: 2,
        cwndBytes: 15_000,
        inFlightBytes: 4000,
        lostPackets: 3,
        retransmittedPackets: null,
        sentPackets: 90,
        deliveryRateKbps: 4100.5,
        appLimited: true,
      },
    ],
  },
});

const seen = (atMs: number, state: string): SessionEvent =>
  later(atMs, {
    kind: 'playback',
    state,
    playheadMs: atMs / 2,
    playbackRate: 1,
    liveLatencyMs: null,
    missing: { liveLatencyMs: 'not-applicable' },
  });

const turned = (atMs: number, phase: string, fromRung: number | null): SessionEvent =>
  later(atMs, {
    kind: 'switch',
    phase,
    mediaType: 'video',
    fromRung,
    toRung: 2,
    bitrateKbps: 4000,
    reason: '',
    missing: fromRung === null ? { fromRung: 'not-applicable' } : {},
  });

/** Choices of a steering policy: the first one with a probe, then one that leaves. */
const first = {
  policy: 'throughput',
  pathway: 'main',
  because: 'Nothing shows more.',
  values: { nowKbps: 61 },
};
const steered = [
  later(1300, { kind: 'steering', ...first, probe: { pathway: 'tcp', bytes: 8193 } }),
  later(1900, {
    kind: 'steering',
    ...first,
    fromPathway: 'main',
    pathway: 'tcp',
    because: 'A probe got more.',
    values: { nowKbps: 62, otherKbps: null },
    rescue: { requestId: 'q3' },
    pulledAway: true,
  }),
];

/** A session with one of everything that a format has a word for. */
export const everything: SessionLog = exampleLog({
  segments: 2,
  extra: [
    ...[seen(30, 'play-requested'), seen(400, 'playing'), seen(1400, 'sample'), seen(4000, 'paused')],
    ...[seen(4100, 'playing'), seen(8000, 'rate'), seen(9500, 'ended')],
    ...[opened, hidden, aborted, running, raced, seenByOrigin, ...steered],
    ...[turned(500, 'rendered', null), turned(2100, 'requested', 1)],
    later(700, { kind: 'buffer', mediaType: 'video', levelMs: 4321 }),
    later(5000, { kind: 'stall', playheadMs: 4500, durationMs: 650 }),
    later(9600, { kind: 'stall', playheadMs: 4700, durationMs: null, missing: { durationMs: 'in-flight' } }),
    later(6000, { kind: 'seek', fromMs: 5000, toMs: 9000, waitMs: 333 }),
    later(7000, { kind: 'frames', decoded: 200, dropped: 7 }),
    later(7100, {
      kind: 'error',
      source: 'player',
      code: '27',
      message: '=cmd|x',
      requestId: null,
      fatal: false,
      missing: { requestId: 'not-applicable' },
    }),
  ],
});
