import { describe, expect, it } from 'vitest';
import { exampleNetLog, TICK_ZERO_UNIX_MS as ZERO } from './exampleNetLog.testing.ts';
import type { NetLogFacts } from './netLogFacts.ts';
import { readNetLog } from './readNetLog.ts';

type Log = ReturnType<typeof exampleNetLog>;
const url = 'https://origin.test:8443/a';
const on = (id: number) => ({ source_dependency: { id, type: 1 } });
function read(log: Log): NetLogFacts {
  const facts = readNetLog(log.text());
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}
const racesOf = (log: Log) =>
  read(log).requests.map(({ races }) => races.map(({ outcome, connectionId }) => [outcome, connectionId]));

/** A group (source 53) and its manager (54), in the order in which Chromium 156 logs them. */
const manager = (log: Log, ms: number, forced = false): Log =>
  log
    .event('HTTP_STREAM_POOL_GROUP_ALIVE 1', ms, 53, { force_quic: forced })
    .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_ALIVE 1', ms, 54, on(53));

const asked = (log: Log, id: number, ms: number, altSvc?: { broken: boolean }): Log =>
  log.request(id, ms, url, altSvc).event('HTTP_STREAM_POOL_JOB_CONTROLLER_ALIVE 1', ms, id + 1, {
    origin_destination: 'https://origin.test',
  });

/** A job of the pool (source `id + 2`) waits for the manager. */
const waiting = (log: Log, id: number, ms: number): Log =>
  log
    .event('HTTP_STREAM_POOL_JOB_CONTROLLER_JOB_BOUND 0', ms, id + 1, on(id + 2))
    .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_JOB_BOUND 0', ms, id, on(54))
    .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_JOB_BOUND 0', ms, id + 2, on(54))
    .event('HTTP_STREAM_JOB_CONTROLLER 2', ms, id + 1);

const quicBegins = (log: Log, ms: number): Log =>
  log
    .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0', ms, 54, on(70))
    .event('QUIC_SESSION 1', ms, 73, { host: 'origin.test', port: 8443 })
    .event('QUIC_SESSION_POOL_JOB_RESULT 0', ms, 70, on(73));

const quicEnds = (log: Log, ms: number, result: number): Log =>
  log
    .event('HTTP_STREAM_POOL_QUIC_ATTEMPT_ALIVE 2', ms, 70)
    .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_COMPLETED 0', ms, 54, {
      quic_attempt_result: result,
    });

const tcpIsReady = (log: Log, ms: number): Log =>
  log
    .event('HTTP_STREAM_POOL_GROUP_HANDLE_CREATED 0', ms, 53, { reuse_type: 0, ...on(88) })
    .event('HTTP2_SESSION_INITIALIZED 0', ms, 78, on(88));

const won = (log: Log, id: number, { ms, protocol }: { ms: number; protocol: string }): Log =>
  log
    .event('HTTP_STREAM_POOL_JOB_ALIVE 2', ms, id + 2, { negotiated_protocol: protocol, net_error: 0 })
    .event('HTTP_STREAM_REQUEST 2', ms, id);

const answered = (log: Log, id: number, ms: number): Log =>
  log.event('HTTP_TRANSACTION_SEND_REQUEST 1', ms, id).finish(id, ms + 10, { bytes: 7 });

const onQuic = (log: Log, id: number, ms: number): Log =>
  answered(log.event('HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0', ms, id, on(73)), id, ms);

/** A request whose attempts at QUIC and TCP have begun. */
const raced = (altSvc?: { broken: boolean }): Log =>
  quicBegins(waiting(asked(manager(exampleNetLog(), 0), 10, 0, altSvc), 10, 0), 20);

const foundQuic = (log: Log, id: number, ms: number): Log =>
  onQuic(
    asked(log, id, ms)
      .event('HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_QUIC_SESSION 0', ms, id + 1)
      .event('HTTP_STREAM_REQUEST 2', ms, id),
    id,
    ms,
  );

const foundH2 = (log: Log, id: number, ms: number): Log =>
  log
    .event('HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION 0', ms, id, on(78))
    .event('HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_SPDY_SESSION 0', ms, id + 1);

describe("a race of Chromium's HappyEyeballsV3", () => {
  it('that QUIC won is named by how h3 was known, and the next request reuses the session', () => {
    const quicWon = (altSvc?: { broken: boolean }) =>
      onQuic(won(quicEnds(raced(altSvc), 45, 0), 10, { ms: 45, protocol: 'quic' }), 10, 140);
    expect(racesOf(foundQuic(quicWon(), 100, 200))).toEqual([
      [['dns-alpn-won', 73]],
      [['dns-alpn-reused', 73]],
    ]);
    expect(racesOf(quicWon({ broken: false }))).toEqual([[['alternative-won', 73]]]);
  });

  it('that TCP won leaves QUIC running until it is given up', () => {
    const tcpWon = () => answered(won(tcpIsReady(raced(), 60), 10, { ms: 61, protocol: 'h2' }), 10, 62);
    const { requests } = read(quicEnds(tcpWon(), 271, -3));
    expect(requests[0]!.races).toMatchObject([
      {
        outcome: 'main-won',
        connectionId: 88,
        decidedUnixMs: ZERO + 61,
        orphanEndUnixMs: ZERO + 271,
        orphanRuns: false,
      },
    ]);
    expect(read(tcpWon()).requests[0]!.races).toMatchObject([{ orphanRuns: true, orphanEndUnixMs: null }]);
    expect(racesOf(answered(foundH2(asked(tcpWon(), 100, 100), 100, 100), 100, 101))[1]).toEqual([
      ['main-alone', 88],
    ]);
  });

  it('in which QUIC failed first says so', () => {
    const log = won(tcpIsReady(quicEnds(raced(), 45, -356), 60), 10, { ms: 61, protocol: 'h2' });
    expect(racesOf(answered(log, 10, 62))).toEqual([[['main-after-quic-failed', 88]]]);
  });

  it('in which DNS had no record did not try QUIC', () => {
    const log = waiting(asked(manager(exampleNetLog(), 0), 10, 0), 10, 0).event(
      'HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0',
      1,
      54,
      on(70),
    );
    const ended = won(tcpIsReady(quicEnds(log, 5, -811), 60), 10, { ms: 61, protocol: 'h2' });
    expect(racesOf(answered(ended, 10, 62))).toEqual([[['main-alone', 88]]]);
  });

  it('without an attempt at QUIC is of TCP alone, or of TCP because Alt-Svc is broken', () => {
    const alone = (altSvc?: { broken: boolean }) => {
      const log = waiting(asked(manager(exampleNetLog(), 0), 10, 0, altSvc), 10, 0);
      return answered(won(tcpIsReady(log, 60), 10, { ms: 61, protocol: 'h2' }), 10, 62);
    };
    expect(racesOf(alone())).toEqual([[['main-alone', 88]]]);
    expect(racesOf(alone({ broken: true }))).toEqual([[['main-broken', 88]]]);
  });

  it('of a request on the h2 connection that tries QUIC for the next ones is one that TCP won', () => {
    const log = foundH2(asked(tcpIsReady(manager(exampleNetLog(), 0), 0), 10, 20, { broken: false }), 10, 20)
      .event('HTTP_STREAM_POOL_JOB_CONTROLLER_PRECONNECT_BOUND 0', 20, 11, on(54))
      .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0', 20, 54, on(70));
    const { requests } = read(answered(quicEnds(log, 52, 0), 10, 60));
    expect(requests[0]!.races).toMatchObject([{ outcome: 'main-won', orphanEndUnixMs: ZERO + 52 }]);
  });

  it('of a request that is handed an idle connection is of TCP alone', () => {
    const idle = () =>
      asked(manager(exampleNetLog(), 0), 10, 20)
        .event('HTTP_STREAM_POOL_GROUP_HANDLE_CREATED 0', 20, 53, { reuse_type: 2, ...on(58) })
        .event('HTTP_STREAM_REQUEST 2', 20, 10);
    expect(racesOf(answered(idle(), 10, 21))).toEqual([[['main-alone', 58]]]);
    const other = idle().request(100, 20, url).event('HTTP_STREAM_POOL_JOB_CONTROLLER_ALIVE 1', 20, 101);
    const given = other.event('HTTP_STREAM_REQUEST 2', 20, 100).finish(100, 20, { netError: -3 });
    expect(racesOf(given)[1]).toEqual([['cancelled', null]]);
  });

  it('of two requests that are handed idle connections have one each', () => {
    const handle = (log: Log, ms: number, socket: number): Log =>
      log.event('HTTP_STREAM_POOL_GROUP_HANDLE_CREATED 0', ms, 53, { reuse_type: 2, ...on(socket) });
    const first = handle(asked(manager(exampleNetLog(), 0), 10, 20), 20, 58);
    const both = handle(asked(first, 100, 20), 20, 59).event('HTTP_STREAM_REQUEST 2', 20, 10);
    const log = answered(both.event('HTTP_STREAM_REQUEST 2', 21, 100), 10, 22);
    expect(racesOf(answered(log, 100, 23))).toEqual([[['main-alone', 58]], [['main-alone', 59]]]);
  });

  it('of a request that waited for an idle connection is not that of another one, which was given up', () => {
    const log = waiting(asked(manager(exampleNetLog(), 0), 10, 0), 10, 0);
    waiting(asked(log, 100, 0), 100, 0).event('HTTP_STREAM_POOL_GROUP_HANDLE_CREATED 0', 20, 53, {
      reuse_type: 2,
      ...on(58),
    });
    answered(won(log, 10, { ms: 20, protocol: 'http/1.1' }), 10, 21);
    log.event('HTTP_STREAM_REQUEST 2', 30, 100).finish(100, 30, { netError: -3 });
    expect(racesOf(log)).toEqual([[['main-alone', 58]], [['cancelled', null]]]);
  });

  it('in a browser that was started to use QUIC is none', () => {
    const log = quicBegins(waiting(asked(manager(exampleNetLog(), 0, true), 10, 0), 10, 0), 20);
    const first = onQuic(won(quicEnds(log, 45, 0), 10, { ms: 45, protocol: 'quic' }), 10, 46);
    expect(racesOf(foundQuic(first, 100, 200))).toEqual([[['quic-forced', 73]], [['quic-forced', 73]]]);
  });

  it('without a connection has failed; given up before, it was cancelled', () => {
    const failing = waiting(asked(manager(exampleNetLog(), 0), 10, 0), 10, 0).event(
      'HTTP_STREAM_POOL_JOB_ALIVE 2',
      9,
      12,
      { net_error: -105 },
    );
    expect(racesOf(failing.finish(10, 9, { netError: -105 }))).toEqual([[['failed', null]]]);
    const given = raced().event('HTTP_STREAM_REQUEST 2', 30, 10).finish(10, 30, { netError: -3 });
    expect(racesOf(given.event('HTTP_STREAM_POOL_JOB_ALIVE 2', 30, 12, { net_error: -3 }))).toEqual([
      [['cancelled', null]],
    ]);
  });

  it('is charged with the handshake that a preconnect began', () => {
    const log = quicEnds(quicBegins(manager(exampleNetLog(), 0), 20), 45, 0).event(
      'QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0',
      44,
      73,
    );
    const { requests } = read(foundQuic(foundQuic(log, 100, 200), 200, 300));
    expect(requests.map(({ races }) => races[0])).toMatchObject([
      { outcome: 'dns-alpn-won', startUnixMs: ZERO + 20, decidedUnixMs: ZERO + 44 },
      { outcome: 'dns-alpn-reused', startUnixMs: ZERO + 300, decidedUnixMs: ZERO + 300 },
    ]);
  });

  it('needs the names of its events, and those of jobs do not need them', () => {
    const log = answered(won(quicEnds(raced(), 45, 0), 10, { ms: 45, protocol: 'quic' }), 10, 46)
      .request(200, 300, url)
      .job(210, 300, { request: 200, type: 'main' })
      .bind(200, 301, 210);
    const name = 'HTTP_STREAM_POOL_JOB_ALIVE';
    const facts = readNetLog(log.text().replace(`"${name}"`, `"OLD_${name}"`));
    if (!facts.ok) throw new Error(facts.error);
    expect(facts.value.lacking).toEqual([name]);
    expect(facts.value.requests.map(({ races }) => races[0]!.outcome)).toEqual(['unknown', 'main-alone']);
  });
});
