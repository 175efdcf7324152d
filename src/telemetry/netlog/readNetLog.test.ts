import { describe, expect, it } from 'vitest';
import type { Result } from '../../shared/result.ts';
import { exampleNetLog, silencedSession, TICK_ZERO_UNIX_MS as ZERO } from './exampleNetLog.testing.ts';
import type { NetLogFacts, NetLogRace } from './netLogFacts.ts';
import { createNetLogReader, readNetLog } from './readNetLog.ts';

const url = 'https://origin.test:8443/a';
const read = (text: string): NetLogFacts => valueOf(readNetLog(text));
function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
const short = ({ outcome, connectionId, netError }: NetLogRace) => [outcome, connectionId, netError];
const racesOf = (facts: NetLogFacts) => facts.requests.map(({ races }) => races.map(short));

describe('a session in which UDP falls silent', () => {
  const facts = read(silencedSession().closedText());

  it('gives each request the races that it ran, in order', () => {
    expect(racesOf(facts)).toEqual([
      [['main-alone', 40, null]],
      [['main-won', 40, null]],
      [['alternative-reused', 50, -356]],
      [
        ['alternative-reused', 50, -356],
        ['main-alone', 40, null],
      ],
      [['main-broken', 40, null]],
    ]);
  });

  it('times requests on the Unix clock and keeps what failed', () => {
    expect(facts.requests[2]).toMatchObject({
      url: 'https://origin.test:8443/1.m4s',
      startUnixMs: ZERO + 200,
      firstByteUnixMs: ZERO + 240,
      lastByteUnixMs: ZERO + 250,
      receivedBytes: 700,
      netError: -356,
    });
    // A stream that failed before its headers has no first byte: the value is the restarted stream's.
    expect(facts.requests[3]).toMatchObject({ firstByteUnixMs: ZERO + 6320, netError: null });
  });

  it('has the settings of QUIC, where the browser closed the file', () => {
    expect(facts.quicSettings).toEqual({
      idle_connection_timeout_seconds: 30,
      retry_without_alt_svc_on_quic_errors: true,
    });
    expect(read(silencedSession().text()).quicSettings).toEqual({});
    const odd = silencedSession().closedText().replace('"polledData": [', '"polledData": [null, 7, ');
    expect(read(odd).quicSettings).toEqual(facts.quicSettings);
    const torn = silencedSession().closedText().replace('"sessions":[]}}]', '"sessions":[');
    expect(read(torn)).toMatchObject({ quicSettings: {}, requests: { length: facts.requests.length } });
  });

  it('knows how long the loser went on', () => {
    expect(facts.requests[1]!.races[0]).toMatchObject({ orphanEndUnixMs: ZERO + 133, orphanRuns: false });
  });

  it('tells handshakes, packets and the close of connections', () => {
    expect(facts.connections.get(50)).toMatchObject({
      kind: 'quic',
      peer: 'origin.test:8443',
      startUnixMs: ZERO + 100,
      readyUnixMs: ZERO + 131,
      zeroRtt: 'NotAttempted',
      packetsSent: 1,
      packetsReceived: 1,
      packetsLost: 1,
      close: { error: 'QUIC_TOO_MANY_RTOS', details: 'Network blackhole detected', fromPeer: false },
    });
    expect(facts.connections.get(40)).toMatchObject({
      kind: 'tcp',
      tcpReadyUnixMs: ZERO + 20,
      readyUnixMs: ZERO + 45,
      resumed: false,
      packetsSent: null,
    });
  });

  it('begins the broken period with the failure that caused it', () => {
    expect(facts.brokenPeriods).toEqual([
      {
        alternative: 'origin.test:8443',
        startUnixMs: ZERO + 6300,
        endUnixMs: null,
        cause: 'QUIC_TOO_MANY_RTOS: Network blackhole detected',
      },
    ]);
  });
});

describe('races', () => {
  const raced = () =>
    exampleNetLog()
      .request(10, 0, url, { broken: false })
      .job(20, 0, { request: 10, type: 'alternative' })
      .job(21, 0, { request: 10, type: 'main' });

  it('tell the delay that TCP was given, and when it was let go', () => {
    const log = raced()
      .event('HTTP_STREAM_JOB_DELAYED 0', 1, 11, { delay: 300 })
      .event('HTTP_STREAM_JOB_DELAYED 0', 200, 11, { delay: 0 })
      .event('HTTP_STREAM_JOB_RESUMED 0', 200, 21, { delay: 0 })
      .bind(10, 250, 20);
    expect(read(log.text()).requests[0]!.races[0]).toMatchObject({
      outcome: 'alternative-won',
      mainDelayMs: 300,
      mainResumedUnixMs: ZERO + 200,
      decidedUnixMs: ZERO + 250,
    });
  });

  it.each([
    ['main-won', raced().bind(10, 9, 21)],
    ['main-after-quic-failed', raced().event('HTTP_STREAM_JOB 2', 5, 20).bind(10, 9, 21)],
    ['unfinished', raced()],
    ['cancelled', raced().event('HTTP_STREAM_REQUEST 2', 5, 10)],
    [
      'dns-alpn-won',
      exampleNetLog().request(10, 0, url).job(20, 0, { request: 10, type: 'dns_alpn_h3' }).bind(10, 9, 20),
    ],
    [
      'quic-forced',
      exampleNetLog()
        .request(10, 0, url)
        .event('HTTP_STREAM_JOB 1', 0, 20, { source_dependency: { id: 11 }, type: 'main', using_quic: true })
        .bind(10, 9, 20),
    ],
    [
      'failed',
      raced()
        .event('HTTP_STREAM_REQUEST_BOUND_TO_JOB 0', 9, 10, { source_dependency: { id: 21, type: 1 } })
        .finish(10, 9, { netError: -105 }),
    ],
  ])('end as %s', (outcome, log) => {
    expect(read(log.text()).requests[0]!.races[0]!.outcome).toBe(outcome);
  });

  it('say that an orphan still ran when the log ended', () => {
    const log = raced().bind(10, 9, 21).event('HTTP_STREAM_JOB_ORPHANED 0', 9, 20);
    expect(read(log.text()).requests[0]!.races[0]).toMatchObject({ orphanRuns: true, orphanEndUnixMs: null });
  });

  it('without a request (preconnects) are nobody’s', () => {
    const log = exampleNetLog().event('HTTP_STREAM_JOB_CONTROLLER 1', 0, 11, { is_preconnect: true });
    expect(read(log.text()).requests).toEqual([]);
  });
});

describe('another version of Chromium', () => {
  const whole = silencedSession().text();
  const without = (name: string): NetLogFacts => read(whole.replace(`"${name}"`, `"OLD_${name}"`));
  const outcomes = ({ requests }: NetLogFacts) =>
    requests.flatMap(({ races }) => races.map(({ outcome }) => outcome));

  it('lacks nothing where the table has all names', () => expect(read(whole).lacking).toEqual([]));

  it.each([
    'QUIC_SESSION_POOL_USE_EXISTING_SESSION',
    'HTTP_STREAM_JOB',
    'HTTP_STREAM_REQUEST_BOUND_TO_JOB',
    'HTTP_TRANSACTION_SEND_REQUEST',
    'QUIC_SESSION_POOL_JOB_RESULT',
  ])('without %s no race has an outcome', (name) => {
    const facts = without(name);
    expect(facts.lacking).toEqual([name]);
    expect(new Set(outcomes(facts))).toEqual(new Set(['unknown']));
  });

  it('a name that is not of races leaves their outcomes', () =>
    expect(outcomes(without('QUIC_SESSION_PACKET_RECEIVED'))).toEqual(outcomes(read(whole))));

  const brought = exampleNetLog()
    .request(10, 0, url, { broken: false })
    .event('HTTP_STREAM_REQUEST 2', 5, 10)
    .event('HTTP_TRANSACTION_SEND_REQUEST 1', 5, 10)
    .finish(10, 9, { bytes: 7 })
    .text();

  it.each([
    ['a request that was sent on what no known job brought', brought],
    ['an answered request that nobody sent', brought.replace('"HTTP_TRANSACTION_SEND_REQUEST"', '"SENT"')],
  ])('%s was not cancelled', (_, text) => expect(outcomes(read(text))).toEqual(['unknown']));
});

describe('broken Alt-Svc', () => {
  const asked = (log: ReturnType<typeof exampleNetLog>, id: number, ms: number, broken: boolean) =>
    log.request(id, ms, url, { broken });

  it('ends when a request finds it usable again; without a failure its cause is unknown', () => {
    const log = exampleNetLog();
    asked(log, 10, 100, true);
    asked(log, 20, 200, true);
    asked(log, 30, 900, false);
    expect(read(log.text()).brokenPeriods).toEqual([
      { alternative: 'origin.test:8443', startUnixMs: ZERO + 100, endUnixMs: ZERO + 900, cause: null },
    ]);
  });

  it('is not blamed on a failure that a later request survived', () => {
    const log = exampleNetLog()
      .event('QUIC_SESSION 1', 0, 50, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_CLOSED 0', 50, 50, { details: 'idle', from_peer: false, quic_error: 25 });
    asked(log, 10, 100, false);
    asked(log, 20, 200, true);
    expect(read(log.text()).brokenPeriods[0]).toMatchObject({ startUnixMs: ZERO + 200, cause: null });
  });

  it('is blamed on a failure whose request TCP answered only after another had raced', () => {
    const log = exampleNetLog()
      .event('QUIC_SESSION 1', 0, 50, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_CLOSED 0', 50, 50, { details: 'blackhole', from_peer: false, quic_error: 85 })
      .event('HTTP_TRANSACTION_RESTART_AFTER_ERROR 0', 50, 5, { net_error: -356 });
    asked(log, 10, 100, false);
    asked(log, 20, 200, true);
    asked(log, 30, 300, false);
    asked(log, 40, 400, true);
    expect(read(log.text()).brokenPeriods).toMatchObject([
      { startUnixMs: ZERO + 200, endUnixMs: ZERO + 300, cause: expect.stringContaining('blackhole') },
      // Once is enough.
      { startUnixMs: ZERO + 400, cause: null },
    ]);
  });

  it('may be caused by an attempt that never became a session', () => {
    const log = exampleNetLog()
      .event('QUIC_SESSION_POOL_JOB 1', 0, 60, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_POOL_JOB_CONNECT 2', 40, 60, { net_error: -105 });
    asked(log, 10, 100, true);
    expect(read(log.text()).brokenPeriods[0]).toMatchObject({
      startUnixMs: ZERO + 40,
      cause: 'ERR_NAME_NOT_RESOLVED',
    });
  });
});

describe('requests', () => {
  it('that are redirected are two with one source', () => {
    const log = exampleNetLog()
      .request(10, 0, url)
      .event('URL_REQUEST_START_JOB 1', 50, 10, { method: 'GET', url: `${url}2` });
    expect(read(log.text()).requests.map((each) => [each.sourceId, each.url])).toEqual([
      [10, url],
      [10, `${url}2`],
    ]);
  });
});

describe('reading', () => {
  const whole = silencedSession().text();
  const chunked = (text: string, sizes: () => number): NetLogFacts => {
    const reader = createNetLogReader();
    for (let at = 0; at < text.length;) {
      const size = sizes();
      reader.push(text.slice(at, at + size));
      at += size;
    }
    return valueOf(reader.end());
  };

  it('gives the same whatever the chunks', () => {
    const expected = read(whole);
    for (let seed = 1; seed <= 30; seed += 1) {
      const lot = drawsFrom(seed);
      expect(chunked(whole, () => 1 + (lot() % (seed * 7)))).toEqual(expected);
    }
  });

  it('gives a beginning of the same wherever the file was cut off', () => {
    const starts = read(whole).requests.map(({ url: asked, startUnixMs }) => `${asked} ${startUnixMs}`);
    const head = whole.indexOf('\n') + 1;
    const lot = drawsFrom(7);
    for (let cut = head; cut < whole.length; cut += 1 + (lot() % 53)) {
      const found = read(whole.slice(0, cut)).requests.map((each) => `${each.url} ${each.startUnixMs}`);
      expect(found).toEqual(starts.slice(0, found.length));
    }
  });

  it('is the same for a closed and an unclosed file, but for the settings at its end', () => {
    expect({ ...read(silencedSession().closedText()), quicSettings: {} }).toEqual(read(whole));
  });

  it('leaves out lines that are no events, and reads events whose keys stand in another order', () => {
    const { logEventTypes } = JSON.parse(
      `${exampleNetLog().request(10, 0, url).text().split('\n')[0]!.slice(13, -1)}`,
    );
    const other = `{"type":${logEventTypes.URL_REQUEST_START_JOB},"time":"3","phase":1,"params":{"url":"${url}2"},"source":{"type":1,"id":9}}`;
    const text = exampleNetLog().request(10, 0, url).text();
    const facts = read(`${text}{"broken":\nnull,\n{"type":1},\n[]\n${other},\n`);
    expect(facts.requests.map((each) => each.url)).toEqual([url, `${url}2`]);
  });

  it.each(['{}', '', 'hello\nworld', '{"constants": {"logEventTypes": 3}}\n', '[\n1\n]'])(
    'refuses %j',
    (text) => {
      expect(readNetLog(text)).toEqual({
        ok: false,
        error: 'This is not a NetLog: its first line has no "constants".',
      });
    },
  );

  it('says early that a file is no NetLog', () => {
    const reader = createNetLogReader();
    reader.push('{"schema": "something"}\n');
    expect(reader.refused()).toMatch(/not a NetLog/);
  });
});

/** A small random generator with a seed, so that every run draws the same numbers (Park and Miller 1988). */
function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647);
}
