import type { DecisionEvent, RequestEvent } from './event.ts';
import type { SessionEvent, SessionLog } from './schema/sessionLog.ts';
import { SCHEMA_ID } from './schema/versions.ts';

/**
 * A made-up session for tests: synthetic, and says so in its id and campaign. A smallest valid log of one manifest,
 * one ladder of three rungs and `segments` video segments with their decisions, 2 s apart.
 */
export function exampleLog({
  segments = 3,
  extra = [],
}: { segments?: number; extra?: readonly SessionEvent[] } = {}): SessionLog {
  const media = Array.from({ length: segments }, (_, segment) => [
    exampleDecision({
      id: `d${segment + 1}`,
      segment,
      requestId: `r${segment + 2}`,
      atMs: 100 + segment * 2000,
    }),
    exampleRequest({
      id: `r${segment + 2}`,
      segment,
      mediaStartMs: segment * 2000,
      ...timesFrom(101 + segment * 2000),
    }),
  ]);
  const endMs = 200 + segments * 2000;
  return {
    schema: SCHEMA_ID,
    id: 'synthetic-example',
    clock: { startedAtUnixMs: 1_790_000_000_000, timeOriginUnixMs: 1_790_000_000_000 },
    parts: [{ startMs: 0, endMs, gapMs: 0, timeOriginUnixMs: 1_790_000_000_000 }],
    environment: {
      ...NOTHING_KNOWN,
      pitwallVersion: 'synthetic',
      screen: 'frames',
      missing: reasonsFor(NOTHING_KNOWN),
    },
    design: null,
    events: [...presentation(), ...media.flat(), ...extra],
  };
}

/** A media request that succeeded on h3 over a warm connection; change what the test is about. */
export function exampleRequest(changes: Partial<RequestEvent> = {}): RequestEvent {
  const event = { ...REQUEST, ...timesFrom(101), ...sizesOf(changes.receivedBytes), ...changes };
  return { ...event, missing: { ...reasonsFor(event), ...changes.missing } };
}

/** The browser's sizes of a body that came whole and as it is. */
const sizesOf = (bytes: number | null | undefined) =>
  bytes && { transferSizeBytes: bytes + 300, encodedBodyBytes: bytes, decodedBodyBytes: bytes };

/** A decision of dash.js' throughput rule. */
export function exampleDecision(changes: Partial<DecisionEvent> = {}): DecisionEvent {
  const event = { ...DECISION, ...changes };
  return { ...event, missing: { ...reasonsFor(event), ...changes.missing } };
}

const NOTHING_KNOWN: Omit<SessionLog['environment'], 'pitwallVersion' | 'missing'> = {
  dashjsVersion: '5.2.1',
  browser: null,
  userAgent: null,
  transport: 'h3-only',
  mpdUrl: 'https://origin.test/demo.mpd',
  rule: 'throughput',
  ruleParameters: null,
  preset: 'experiment',
  settings: null,
  tcpController: null,
  quicController: null,
  link: null,
  simulator: null,
  traceOptimum: null,
};

const REQUEST: Omit<RequestEvent, 'missing'> = {
  kind: 'request',
  id: 'r2',
  atMs: 101,
  type: 'media',
  mediaType: 'video',
  url: 'https://origin.test/video-1.m4s',
  finalUrl: null,
  method: 'GET',
  range: null,
  attempt: 0,
  outcome: 'ok',
  status: 200,
  endMs: 152,
  segment: 0,
  mediaStartMs: 0,
  mediaDurationMs: 2000,
  periodId: 'p0',
  representationId: 'v1',
  rung: 1,
  bitrateKbps: 1000,
  serviceLocation: null,
  protocol: 'h3',
  connectionReused: true,
  startMs: null,
  redirectStartMs: null,
  redirectEndMs: null,
  fetchStartMs: null,
  domainLookupStartMs: null,
  domainLookupEndMs: null,
  connectStartMs: null,
  secureConnectionStartMs: null,
  connectEndMs: null,
  requestStartMs: null,
  firstByteMs: null,
  lastByteMs: null,
  receivedBytes: 250_000,
  transferSizeBytes: 250_300,
  encodedBodyBytes: 250_000,
  decodedBodyBytes: 250_000,
  serverTiming: null,
  cmsdStatic: null,
  cmsdDynamic: null,
};

const DECISION: Omit<DecisionEvent, 'missing'> = {
  kind: 'decision',
  id: 'd1',
  atMs: 100,
  mediaType: 'video',
  requestId: null,
  segment: 0,
  rule: 'ThroughputRule',
  fromRung: 1,
  rung: 1,
  bitrateKbps: 1000,
  holdUntilBufferMs: null,
  because: 'The highest level within the safe throughput of 1800 kbit/s is level 2 (1000 kbit/s).',
  values: { throughputKbps: 1800 },
  votes: [{ rule: 'ThroughputRule', rung: 1, because: 'Fits 1800 kbit/s.', asked: true }],
  moment: {
    nowMs: 100,
    playheadMs: 0,
    bufferMs: 0,
    bufferTargetMs: 18_000,
    segment: 0,
    segmentsLeft: 30,
    lastRung: 1,
    liveLatencyMs: null,
    playbackRate: 1,
  },
  estimateKbps: 2000,
  tookMs: 0.4,
};

function timesFrom(atMs: number) {
  return {
    atMs,
    startMs: atMs + 1,
    fetchStartMs: atMs + 1,
    requestStartMs: atMs + 2,
    firstByteMs: atMs + 20,
    lastByteMs: atMs + 50,
    endMs: atMs + 51,
  };
}

function presentation(): SessionEvent[] {
  const rung = (representationId: string, bitrateKbps: number, height: number) => ({
    representationId,
    bitrateKbps,
    width: (height * 16) / 9,
    height,
    codecs: 'vp09.00.30.08',
  });
  return [
    exampleRequest({ id: 'r1', type: 'manifest', ...timesFrom(1), ...NO_MEDIA }),
    {
      kind: 'manifest',
      id: 'm1',
      atMs: 60,
      url: 'https://origin.test/demo.mpd',
      type: 'static',
      lowLatency: false,
      durationMs: 60_000,
      minBufferMs: 2000,
      periods: 1,
      missing: {},
    },
    {
      kind: 'ladder',
      id: 'l1',
      atMs: 70,
      mediaType: 'video',
      periodId: 'p0',
      language: null,
      segmentMs: 2000,
      rungs: [rung('v0', 400, 180), rung('v1', 1000, 360), rung('v2', 4000, 720)],
      missing: { language: 'not-sent' },
    },
  ];
}

const NO_MEDIA = {
  mediaType: null,
  segment: null,
  mediaStartMs: null,
  mediaDurationMs: null,
  periodId: null,
  representationId: null,
  rung: null,
  bitrateKbps: null,
};

function reasonsFor(fields: object): Record<string, 'not-applicable'> {
  const absent = Object.entries(fields).filter(([, value]) => value === null);
  return Object.fromEntries(absent.map(([name]) => [name, 'not-applicable']));
}
