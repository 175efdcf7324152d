import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../shared/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { createSessionText } from '../../telemetry/sessionFile.ts';
import { checkSession, readSession } from '../../telemetry/schema/readSession.ts';
import {
  besideFlows,
  besidePlayers,
  choice,
  exampleSession,
  framesSeen,
  level,
  linked,
  livePlayback,
  playback,
  reading,
  rung,
  segmentsOf,
  sought,
  stalled,
  steered,
} from '../timeline/example.testing.ts';
import { transferRequest, transferSession } from '../transport/transfers.testing.ts';
import { liveMetrics } from './live.ts';
import type { Metric } from './metric.ts';
import { metrics } from './registry.ts';
import { seededRandom } from '../statistics/random.ts';

const RICH = richSession();
/** The packets of a link that is shared are nobody's own, so that no log has a value for every metric. */
const SHARED = besidePlayers(
  besideFlows(RICH, [
    { fromMs: 0, toMs: 632_000, bytesBySecond: Array.from({ length: 632 }, (_, second) => second * 100) },
  ]),
  [Array.from({ length: 632 }, (_, second) => (second < 5 ? null : 400 + (second % 7) * 100))],
  4000,
);
const TRANSFER = transferSession('streams:mb=1:count=1', [
  transferRequest([0, 100, 900]),
  transferRequest([0, 120, 1000], { stream: 1 }),
]);

const LIVE = exampleSession([
  livePlayback(10, 'play-requested', { latencyMs: 2100 }),
  livePlayback(400, 'playing', { latencyMs: 2500, errorMs: 1100 }),
  livePlayback(1400, 'rate', { latencyMs: 2500, rate: 1.04 }),
  livePlayback(5000, 'stopped', { latencyMs: 2360, rate: 1.04 }),
]);

/** Every kind of session that a metric may meet. */
const LOGS = {
  'requests, nothing played': exampleLog(),
  'nothing at all': { ...exampleLog(), events: [] },
  'asked to play, never played': exampleSession([playback(10, 'play-requested')]),
  'an ordinary one': exampleSession([
    playback(10, 'play-requested'),
    playback(400, 'playing'),
    rung(450, 1),
    level(500, 2000),
    framesSeen(1000, 30, 1),
    stalled(5000, 700),
    playback(9000, 'stopped'),
  ]),
  'cut off in a stall': exampleSession([playback(10, 'playing'), stalled(500, null)]),
  'cut off while the viewer seeks': exampleSession([
    ...[playback(10, 'play-requested'), playback(400, 'playing'), rung(450, 1)],
    ...[sought(5000, null), sought(7000, null), playback(9000, 'stopped')],
  ]),
  'at twice the rate, with uneven segments': exampleSession([
    ...segmentsOf(1000, 3000, 1000, 3000, 4000),
    ...[reading(0, 'play-requested', 0), reading(400, 'playing', 0, 2), rung(450, 1)],
    ...[reading(1400, 'sample', 2000, 2), rung(3000, 2), reading(6400, 'stopped', 12_000, 2)],
  ]),
  'a live one': LIVE,
  'with everything, 11 minutes long': RICH,
  'with everything, a flow and a player beside it': SHARED,
  'two streams of objects, without media': TRANSFER,
};

/** What may be below 0. */
const SIGNED = [
  'qoe-linear',
  'qoe-log',
  'qoe-hd',
  'optimum-share',
  'tcp-quality-correlation',
  'tcp-stall-correlation',
];

test('the registry has no faults', () => expect(faultsOf(metrics)).toEqual([]));

test('at most eight stand in a table unasked, first and each in its own place', () => {
  const places = metrics.flatMap(({ headline }) => headline ?? []);
  expect(places).toEqual(places.map((_, index) => index + 1));
  expect(places.length).toBeLessThanOrEqual(8);
  expect(metrics.slice(0, places.length).every(({ headline }) => headline)).toBe(true);
});

test.each(Object.entries(LOGS))('the log of these tests is valid: %s', (_name, log) => {
  const read = checkSession(log);
  expect(read.ok ? 'valid' : read.error).toBe('valid');
});

test('the session with everything gives every metric of players a value, one without media the others', () => {
  const isOfFiles = ({ sessions }: Metric): boolean => sessions === 'transfers';
  const unknownIn = (log: SessionLog, of: (metric: Metric) => boolean): string[] =>
    metrics.filter((metric) => of(metric) && metric.of(log).value === null).map(({ id }) => id);
  expect(unknownIn(TRANSFER, isOfFiles)).toEqual([]);
  const ofLive = liveMetrics.map(({ id }) => id);
  expect(unknownIn(RICH, (metric) => !isOfFiles(metric))).toEqual([
    ...['fairness-index', 'flow-throughput', 'inefficiency', 'link-share', ...ofLive, 'unfairness'],
  ]);
  expect(unknownIn(SHARED, (metric) => !isOfFiles(metric))).toEqual([...ofLive, 'protocol-overhead']);
  expect(unknownIn(LIVE, ({ id }) => ofLive.includes(id))).toEqual([]);
});

/** As a page or an older Pitwall wrote it: in pieces, and without the fields that came later. */
function older({ events, ...header }: SessionLog): SessionLog {
  const text = createSessionText();
  const pieces = [
    text.begin(header),
    text.events(events.slice(0, 9)),
    text.events(events.slice(9)),
    text.end(),
  ];
  const read = readSession(pieces.join(''));
  if (!read.ok) throw new Error(read.error);
  const environment = { ...read.value.environment };
  const missing = { ...environment.missing };
  delete environment.simulator;
  delete missing['simulator'];
  return { ...read.value, environment: { ...environment, missing } };
}

test.each(Object.entries(LOGS))(
  'exported, read again and upgraded, all metrics are the same: %s',
  (_name, log) => {
    const again = checkSession(older(log));
    if (!again.ok) throw new Error(again.error);
    expect(again.value.environment).not.toHaveProperty('simulator');
    for (const { id, of } of metrics) expect(of(again.value), id).toEqual(of(log));
  },
);

describe.each(metrics.map((metric) => [metric.id, metric] as const))('%s', (_id, metric) => {
  test('says its unit, its source, what it means and what no value means', () => {
    expect(metric.unit).toBe(metric.unit.trim());
    for (const text of [metric.meaning, metric.paper, metric.unknown]) {
      expect(text.length).toBeGreaterThan(10);
      expect(text).not.toMatch(/\.$|undefined|\n/);
    }
    expect(['higher', 'lower', null]).toContain(metric.better);
  });
  test.each(Object.entries(LOGS))('is a number, or null with a sentence that says why: %s', (_name, log) =>
    isSound(metric, log),
  );
  test('a log without events has no value', () =>
    expect([RICH, SHARED].map((log) => metric.of({ ...log, events: [] }).value)).toEqual([null, null]));
  test('a log cut off anywhere is no trouble', () => {
    for (let events = 0; events < RICH.events.length; events += 7)
      for (const log of [RICH, SHARED]) isSound(metric, { ...log, events: log.events.slice(0, events) });
  });
  test('does not hang on the order in which things were recorded', () => {
    for (const seed of [1, 2, 3])
      for (const log of [RICH, SHARED]) expect(metric.of(shuffled(log, seed))).toEqual(metric.of(log));
  });
  test.each(Object.entries(LOGS))('does not change the log: %s', (_name, log) => {
    const before = structuredClone(log);
    metric.of(log);
    expect(log).toEqual(before);
  });
});

function isSound({ id, of, parts }: Metric, log: SessionLog): void {
  const { value, lowerBound, why, note, by } = of(log);
  // A lower bound is of something that was seen.
  expect(value === null ? [undefined] : [undefined, true]).toContain(lowerBound);
  if (value === null) expect(why).toMatch(/^[A-Z].*\.$/);
  else expect(Number.isFinite(value) && (value >= 0 || SIGNED.includes(id)), `${id} is ${value}`).toBe(true);
  expect(note ?? 'A sentence.').toMatch(/^[A-Z].*\.$/);
  const shares = Object.values(by ?? {});
  expect(shares.every(Number.isFinite)).toBe(true);
  if (parts === 'counts' && value !== null) expect(shares.reduce((sum, part) => sum + part, 0)).toBe(value);
}

/** Requests in any order (they are recorded when they end), the other kinds mixed anew, each in its own order. */
function shuffled(log: SessionLog, seed: number): SessionLog {
  const random = seededRandom(seed);
  const keys = log.events.map(({ kind }) => [kind, random()] as const);
  const queues = new Map<string, number[]>();
  for (const [kind, key] of keys) queues.set(kind, [...(queues.get(kind) ?? []), key]);
  for (const [kind, queue] of queues) if (kind !== 'request') queue.sort((a, b) => a - b);
  const placed = log.events.map((event) => ({ event, key: queues.get(event.kind)!.shift()! }));
  return { ...log, events: placed.sort((a, b) => a.key - b.key).map(({ event }) => event) };
}

/**
 * 21 windows of 30 s and the end: races, a broken period, stalls, drops, a seek, audio, the optimum of the trace, a limit
 * of UDP that a steering policy avoids, and a new address.
 */
function richSession(): SessionLog {
  const events: SessionEvent[] = [
    playback(0, 'play-requested'),
    playback(450, 'first-frame'),
    playback(500, 'playing'),
    rung(500, 0),
    reported(null),
  ];
  for (let window = 0; window < 21; window += 1) {
    const atMs = 1000 + window * 30_000;
    events.push(
      segment(atMs, { protocol: window % 4 === 0 ? 'h2' : 'h3', pathway: pathwayIn(window) }),
      segment(atMs + 40, { mediaType: 'audio', pathway: pathwayIn(window) }),
      ...[
        reported(`x${events.length + 1}`),
        level(atMs + 50, 4000),
        framesSeen(atMs + 60, window * 750, window),
      ],
      rung(atMs + 5000, (window % 3) as 0 | 1 | 2),
    );
    if (window % 5 === 0)
      events.push(
        playback(atMs + 9000, 'waiting'),
        stalled(atMs + 9000, 800),
        playback(atMs + 9800, 'playing'),
      );
  }
  events.push(sought(631_000, 400), playback(632_000, 'ended'), ...steering(`x${events.length + 3}`));
  const log = linked(steered(exampleSession(events)), [
    [121_100, 64],
    [260_000, null],
  ]);
  const playedMs = 632_000 - 500 - 5 * 800;
  const missing = { ...log.environment.missing };
  delete missing['traceOptimum'];
  const addressChanges = [{ atUnixMs: log.clock.startedAtUnixMs + 405_000, address: '198.51.100.3' }];
  const linkRun = { ...log.environment.linkRun!, addressChanges };
  return {
    ...log,
    environment: { ...log.environment, linkRun, traceOptimum: 900, missing },
    events: log.events.map((event) =>
      event.kind === 'manifest' ? { ...event, durationMs: playedMs } : event,
    ),
  };
}

function pathwayIn(window: number): string {
  return window > 4 && window < 9 ? 'tcp' : 'main';
}

/** Away and back, a probe, and a segment in two parts, of which the first has this id. */
function steering(abortedId: string): SessionEvent[] {
  return [
    segment(150_000, { pathway: 'main', outcome: 'aborted', receivedBytes: 900 }),
    segment(150_402, { pathway: 'tcp', continues: abortedId }),
    segment(150_000, { pathway: 'tcp', type: 'probe', receivedBytes: 32_768 }),
    choice(500, 'main'),
    choice(150_000, 'tcp', { fromPathway: 'main', rescue: { requestId: abortedId } }),
    choice(271_000, 'main', { fromPathway: 'tcp' }),
  ];
}

function segment(atMs: number, changes: Partial<RequestEvent>): SessionEvent {
  const times = {
    atMs,
    startMs: atMs + 1,
    firstByteMs: atMs + 90,
    lastByteMs: atMs + 400,
    endMs: atMs + 401,
  };
  return exampleRequest({ ...times, ...changes });
}

/** The races of a request; about none: a handshake with 0-RTT, and Alt-Svc marked broken for 5 s. */
function reported(requestId: string | null): SessionEvent {
  const race = { mainDelayMs: null, startMs: 60_000, endMs: 65_000 };
  const connection = {
    transport: 'quic' as const,
    startMs: 0,
    handshakeMs: 40,
    zeroRtt: 'AttemptedAndSucceeded',
    resumed: null,
    packetsSent: 9,
    packetsReceived: 9,
    packetsLost: 0,
    endMs: null,
    close: null,
    closedByPeer: null,
  };
  return {
    kind: 'transport',
    id: 't',
    atMs: 0,
    source: 'netlog',
    connectionId: '1',
    requestId,
    races: [{ ...race, outcome: requestId === null ? 'broken' : 'main-won', cause: 'idle-end' }],
    ...(requestId === null && { connection }),
    missing: requestId === null ? { requestId: 'not-applicable' } : {},
  };
}
