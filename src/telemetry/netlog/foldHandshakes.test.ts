import { describe, expect, it } from 'vitest';
import { exampleNetLog, TICK_ZERO_UNIX_MS as ZERO } from './exampleNetLog.testing.ts';
import type { NetLogFacts } from './netLogFacts.ts';
import { readNetLog } from './readNetLog.ts';

type Log = ReturnType<typeof exampleNetLog>;
const url = 'https://origin.test/a';
const on = (id: number) => ({ source_dependency: { id, type: 1 } });
function read(log: Log): NetLogFacts {
  const facts = readNetLog(log.text());
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}
const outcomesOf = (log: Log) => read(log).requests.map(({ races }) => races.map(({ outcome }) => outcome));

/** A request with the jobs that every request has that knows no Alt-Svc; what DNS tells is asked by attempt 70. */
const asked = (log: Log, id: number, ms: number): Log =>
  log
    .request(id, ms, url)
    .job(id + 2, ms, { request: id, type: 'dns_alpn_h3' })
    .event('BOUND_TO_QUIC_SESSION_POOL_JOB 0', ms, id + 2, on(70))
    .job(id + 3, ms, { request: id, type: 'main' });

const handshake = (log: Log, ms: number): Log =>
  log
    .event('QUIC_SESSION 1', ms, 86, { host: 'origin.test', port: 443 })
    .event('QUIC_SESSION_POOL_JOB_RESULT 0', ms, 70, on(86));

const refused = (log: Log, ms: number): Log =>
  log.event('QUIC_SESSION_CLOSED 0', ms, 86, {
    details: 'net::ERR_CONNECTION_REFUSED',
    from_peer: false,
    quic_error: 25,
  });

const onTcp = (log: Log, id: number, ms: number): Log =>
  log.bind(id, ms, id + 3).finish(id, ms + 20, { bytes: 7 });

const withoutQuic = (log: Log, id: number, ms: number): Log =>
  onTcp(log.request(id, ms, url).job(id + 3, ms, { request: id, type: 'main' }), id, ms + 1);

describe('QUIC that DNS taught', () => {
  const failedFirst = () =>
    onTcp(
      refused(handshake(asked(exampleNetLog(), 10, 0), 20), 50).event('HTTP_STREAM_JOB 2', 51, 12),
      10,
      90,
    );

  it('and that failed before TCP was ready is not "no QUIC was tried"', () =>
    expect(outcomesOf(failedFirst())).toEqual([['main-after-quic-failed']]));

  it('is broken where the next request has no job for it, because of the failure', () => {
    const log = withoutQuic(withoutQuic(failedFirst(), 100, 200), 200, 300);
    expect(outcomesOf(log)).toEqual([['main-after-quic-failed'], ['main-broken'], ['main-broken']]);
    expect(read(log).brokenPeriods).toEqual([
      {
        alternative: 'origin.test:443',
        startUnixMs: ZERO + 50,
        endUnixMs: null,
        cause: 'QUIC_NETWORK_IDLE_TIMEOUT: net::ERR_CONNECTION_REFUSED',
      },
    ]);
    const back = asked(log, 300, 900).event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', 900, 302, on(87));
    expect(read(back).brokenPeriods).toMatchObject([{ startUnixMs: ZERO + 50, endUnixMs: ZERO + 900 }]);
  });

  it('is not broken because a restart leaves it out', () => {
    const log = failedFirst()
      .request(100, 200, url)
      .job(102, 200, { request: 100, type: 'dns_alpn_h3' })
      .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', 200, 102, on(87))
      .bind(100, 200, 102)
      .event('HTTP_TRANSACTION_RESTART_AFTER_ERROR 0', 250, 100, { net_error: -356 })
      .event('HTTP_STREAM_JOB_CONTROLLER 1', 250, 104, { url })
      .event('HTTP_STREAM_JOB_CONTROLLER_BOUND 0', 250, 100, on(104))
      .event('HTTP_STREAM_JOB 1', 250, 105, { ...on(104), type: 'main' })
      .bind(100, 260, 105)
      .finish(100, 280, { bytes: 7 });
    expect(outcomesOf(log)[1]).toEqual(['dns-alpn-reused', 'main-alone']);
    expect(read(log).brokenPeriods).toEqual([]);
  });

  it('was not tried where its job ended without a handshake: the host has no record', () => {
    const first = onTcp(asked(exampleNetLog(), 10, 0).event('HTTP_STREAM_JOB 2', 20, 12), 10, 90);
    expect(outcomesOf(withoutQuic(first, 100, 200))).toEqual([['main-alone'], ['main-alone']]);
    expect(read(first).brokenPeriods).toEqual([]);
  });
});

describe('a handshake that a preconnect began', () => {
  const reusing = (log: Log, id: number, ms: number): Log =>
    log
      .request(id, ms, url)
      .job(id + 2, ms, { request: id, type: 'dns_alpn_h3' })
      .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', ms, id + 2, on(86))
      .bind(id, ms, id + 2);

  it('is charged to the first request that uses its session', () => {
    const log = handshake(exampleNetLog(), 20).event('QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0', 45, 86);
    const { requests } = read(reusing(reusing(log, 10, 60), 100, 200));
    expect(requests.map(({ races }) => races[0])).toMatchObject([
      { outcome: 'dns-alpn-won', startUnixMs: ZERO + 20, decidedUnixMs: ZERO + 45 },
      { outcome: 'dns-alpn-reused', startUnixMs: ZERO + 200, decidedUnixMs: ZERO + 200 },
    ]);
  });

  it('is that of a request which waited for it too', () => {
    const log = handshake(asked(exampleNetLog(), 10, 0), 20).bind(10, 45, 12);
    expect(outcomesOf(reusing(log, 100, 200))).toEqual([['dns-alpn-won'], ['dns-alpn-reused']]);
  });
});
