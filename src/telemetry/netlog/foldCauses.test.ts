import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { exampleNetLog, silencedSession } from './exampleNetLog.testing.ts';
import { createCauseFolds, RACE_CAUSES } from './foldCauses.ts';
import type { NetLogFacts } from './netLogFacts.ts';
import { createNetLogReader } from './readNetLog.ts';

function read(text: string): NetLogFacts {
  const reader = createNetLogReader(createCauseFolds());
  reader.push(text);
  const facts = reader.end();
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}
const causesOf = ({ requests }: NetLogFacts): string[] =>
  requests.flatMap(({ races }) => races.flatMap(({ cause }) => cause ?? []));

const url = 'https://origin.test:8443/a';
type Log = ReturnType<typeof exampleNetLog>;
/** A request that knows h3, and which TCP wins. */
const race = (log: Log, id: number, ms: number): Log =>
  log
    .request(id, ms, url, { broken: false })
    .job(id + 2, ms, { request: id, type: 'alternative' })
    .job(id + 3, ms, { request: id, type: 'main' })
    .bind(id, ms + 1, id + 3);
const connection = (log: Log, id: number, ms: number): Log =>
  log
    .event('QUIC_SESSION 1', ms, id, { host: 'origin.test', port: 8443 })
    .event('QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0', ms + 20, id);
interface Reuse {
  readonly ms: number;
  readonly asked: string;
  readonly session: number;
}
const close = (quic_error: number, from_peer = false) => ({ details: '', from_peer, quic_error });

describe('why a race was run', () => {
  it.each([
    ['idle-end', 'QUIC_SESSION_CLOSED 0', close(25)],
    ['closed-by-server', 'QUIC_SESSION_CLOSED 0', close(25, true)],
    ['closed-by-server', 'HTTP3_GOAWAY_RECEIVED 0', { stream_id: 4 }],
    ['network-change', 'NETWORK_IP_ADDRESSES_CHANGED 0', {}],
    [
      'unknown: the QUIC connection before it ended with QUIC_TOO_MANY_RTOS',
      'QUIC_SESSION_CLOSED 0',
      close(85),
    ],
  ])('%s, after %s', (cause, event, params) => {
    const log = connection(exampleNetLog(), 50, 0).event(event, 500, 50, params);
    // GOAWAY and a change of network come first, and the close that follows says less.
    log.event('QUIC_SESSION_CLOSED 0', 510, 50, close(85));
    expect(causesOf(read(race(log, 10, 600).text()))).toEqual([cause]);
  });

  /** In the recorded session (`network-change`) these events are so far apart, and nothing was asked for afterwards. */
  it('a connection begun after a change of network is none that ended by it, although Chromium says so 2 s later', () => {
    const log = connection(exampleNetLog(), 50, 0)
      .event('NETWORK_IP_ADDRESSES_CHANGED 0', 37_847, 1)
      .event('QUIC_SESSION_CLOSED 0', 37_856, 50, close(27));
    race(log, 10, 37_860);
    connection(log, 51, 37_898)
      .event('NETWORK_CHANGED 0', 39_847, 1)
      .event('QUIC_SESSION_CLOSED 0', 49_563, 51, close(85));
    expect(causesOf(read(race(log, 20, 49_600).text()))).toEqual([
      'network-change',
      'unknown: the QUIC connection before it ended with QUIC_TOO_MANY_RTOS',
    ]);
  });

  it('a handshake that nobody answered was not idle', () => {
    const log = exampleNetLog()
      .event('QUIC_SESSION 1', 0, 50, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_CLOSED 0', 4000, 50, close(25));
    expect(causesOf(read(race(log, 10, 5000).text()))).toEqual([
      'unknown: the QUIC connection before it ended with QUIC_NETWORK_IDLE_TIMEOUT',
    ]);
  });

  it('an open connection is none, and a race beside it is not explained', () => {
    const log = race(connection(exampleNetLog(), 50, 0), 10, 600);
    expect(causesOf(read(log.text()))).toEqual(['unknown: an open QUIC connection was not used']);
  });

  it('all races of one attempt have its cause, also before its connection begins', () => {
    const log = connection(exampleNetLog(), 50, 0).event('QUIC_SESSION_CLOSED 0', 500, 50, close(25));
    race(race(log, 10, 600), 20, 602).event('QUIC_SESSION 1', 610, 51, { host: 'origin.test', port: 8443 });
    expect(causesOf(read(race(log, 30, 620).text()))).toEqual(['idle-end', 'idle-end', 'idle-end']);
  });

  it('a connection is that of the URL, whatever port Alt-Svc names', () => {
    const elsewhere = (log: Log, id: number, ms: number): Log =>
      log
        .request(id, ms, url)
        .event('HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0', ms, id + 1, {
          alt_svc: 'quic origin.test:9000, expires 2026-12-21',
          is_broken: false,
        })
        .job(id + 2, ms, { request: id, type: 'alternative' })
        .job(id + 3, ms, { request: id, type: 'main' })
        .bind(id, ms + 1, id + 3);
    const log = elsewhere(exampleNetLog(), 10, 0);
    connection(log, 50, 5).event('QUIC_SESSION_CLOSED 0', 500, 50, close(25));
    expect(causesOf(read(elsewhere(log, 20, 600).text()))[1]).toBe('idle-end');
  });

  it('h3 that was known before is not discovery', () => {
    expect(causesOf(read(race(exampleNetLog(), 10, 0).text()))).toEqual([
      'unknown: h3 was known before the NetLog began',
    ]);
    const other = exampleNetLog().event('QUIC_SESSION 1', 0, 50, { host: 'other.test', port: 8443 });
    expect(causesOf(read(race(other, 10, 100).text()))).toEqual(['another-host']);
  });

  it('a handshake of a preconnect, or QUIC that DNS taught, is no unused connection', () => {
    const on = (id: number) => ({ source_dependency: { id, type: 1 } });
    const opened = connection(exampleNetLog(), 50, 0).event('QUIC_SESSION_POOL_JOB_RESULT 0', 1, 70, on(50));
    opened
      .request(10, 100, url, { broken: false })
      .job(12, 100, { request: 10, type: 'alternative' })
      .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', 100, 12, on(50))
      .job(13, 100, { request: 10, type: 'main' })
      .bind(10, 101, 12);
    expect(causesOf(read(opened.text()))).toEqual(['preconnect']);
    const taught = exampleNetLog()
      .request(10, 0, url)
      .job(12, 0, { request: 10, type: 'dns_alpn_h3' })
      .event('BOUND_TO_QUIC_SESSION_POOL_JOB 0', 0, 12, on(70))
      .job(13, 0, { request: 10, type: 'main' });
    connection(taught, 50, 5).event('QUIC_SESSION_POOL_JOB_RESULT 0', 5, 70, on(50)).bind(10, 20, 13);
    expect(causesOf(read(taught.text()))).toEqual(['unknown: h3 was known from DNS']);
  });

  /** A request on an open QUIC connection. */
  const reuse = (log: Log, id: number, { ms, asked, session }: Reuse): Log =>
    log
      .request(id, ms, asked, { broken: false })
      .job(id + 2, ms, { request: id, type: 'alternative' })
      .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', ms, id + 2, { source_dependency: { id: session } })
      .job(id + 3, ms, { request: id, type: 'main' })
      .bind(id, ms + 1, id + 2)
      .event('HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0', ms + 1, id, {
        source_dependency: { id: session },
      });

  it('what was found usable again, on an open connection, is no cause later', () => {
    const log = connection(exampleNetLog(), 50, 0).request(10, 100, url, { broken: true });
    reuse(log, 20, { ms: 200, asked: url, session: 50 }).event(
      'QUIC_SESSION_CLOSED 0',
      40_000,
      50,
      close(25),
    );
    expect(causesOf(read(race(log, 30, 50_000).text()))).toEqual(['idle-end']);
  });

  it('a connection that serves several hosts is the newest of each', () => {
    const other = url.replace('origin', 'other');
    const log = connection(exampleNetLog(), 50, 0).request(10, 100, other).job(13, 100, {
      request: 10,
      type: 'main',
    });
    reuse(log, 20, { ms: 200, asked: other, session: 50 });
    log.event('QUIC_SESSION_CLOSED 0', 40_000, 50, close(25));
    log
      .request(30, 50_000, other, { broken: false })
      .job(32, 50_000, { request: 30, type: 'alternative' })
      .job(33, 50_000, { request: 30, type: 'main' })
      .bind(30, 50_001, 33);
    expect(causesOf(read(log.text()))).toEqual(['idle-end']);
  });

  it('a request without a race has none', () => {
    const { requests } = read(silencedSession().text());
    expect(requests.map(({ races }) => races.map(({ outcome, cause }) => [outcome, cause]))).toEqual([
      [['main-alone', undefined]],
      [['main-won', 'discovery']],
      [['alternative-reused', undefined]],
      [
        ['alternative-reused', undefined],
        ['main-alone', undefined],
      ],
      [['main-broken', undefined]],
    ]);
  });
});

describe("with Chromium's HappyEyeballsV3", () => {
  const on = (id: number) => ({ source_dependency: { id, type: 1 } });
  const asked = (log: Log, id: number, ms: number, altSvc?: { broken: boolean }): Log =>
    log.request(id, ms, url, altSvc).event('HTTP_STREAM_POOL_JOB_CONTROLLER_ALIVE 1', ms, id + 1, {
      origin_destination: 'https://origin.test:8443',
    });
  const onH2 = (log: Log, id: number, ms: number): Log =>
    log.event('HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_SPDY_SESSION 0', ms, id + 1);
  const onQuic = (log: Log, id: number, ms: number): Log =>
    log
      .event('HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_QUIC_SESSION 0', ms, id + 1)
      .event('HTTP_STREAM_REQUEST 2', ms, id)
      .event('HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0', ms, id, on(50));

  it('discovery is known, also where QUIC is tried after the request has its connection', () => {
    const log = onH2(asked(exampleNetLog(), 10, 0), 10, 0).event('HTTP_STREAM_REQUEST 2', 1, 10);
    log.event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_ALIVE 1', 50, 54, on(53));
    onH2(asked(log, 20, 50, { broken: false }), 20, 50)
      .event('HTTP_STREAM_POOL_JOB_CONTROLLER_PRECONNECT_BOUND 0', 50, 21, on(54))
      .event('HTTP_STREAM_REQUEST 2', 51, 20)
      .event('HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0', 52, 54, on(70));
    connection(log, 50, 53).event('QUIC_SESSION_POOL_JOB_RESULT 0', 53, 70, on(50));
    onQuic(asked(log, 30, 200, { broken: false }), 30, 200);
    const { requests } = read(log.text());
    expect(requests.map(({ races }) => races.map(({ outcome, cause }) => [outcome, cause]))).toEqual([
      [['main-alone', undefined]],
      [['main-won', 'discovery']],
      [['alternative-reused', undefined]],
    ]);
  });

  it('the handshake of a preconnect is its cause', () => {
    const log = connection(exampleNetLog(), 50, 0).event('QUIC_SESSION_POOL_JOB_RESULT 0', 1, 70, on(50));
    onQuic(asked(log, 10, 100, { broken: false }), 10, 100);
    expect(causesOf(read(log.text()))).toEqual(['preconnect']);
  });
});

/** NetLogs of Chromium 156, reduced to the events that say why a race was run: `recorded/README.md`. */
const recorded = (name: string): string =>
  gunzipSync(readFileSync(new URL(`recorded/${name}.netlog.gz`, import.meta.url))).toString();

describe('recorded sessions', () => {
  it.each([
    ['idle-end', ['discovery', 'discovery', 'idle-end', 'idle-end']],
    ['closed-by-server', ['discovery', 'discovery', 'closed-by-server', 'closed-by-server']],
    ['broken-over', ['discovery', 'broken-over']],
    ['network-change', ['discovery', 'discovery', 'network-change', 'network-change']],
    ['another-host', ['unknown: h3 was known before the NetLog began', 'another-host']],
    ['preconnect', ['discovery', 'discovery', 'preconnect']],
  ])('%s', (name, causes) => expect(causesOf(read(recorded(name)))).toEqual(causes));

  /** Looks for the reason in the text, without a reader. */
  it.each([
    ['idle-end', /No recent network activity after 29\d+us/g, 4],
    ['closed-by-server', /"from_peer":true/g, 4],
    ['broken-over', /Network blackhole detected/g, 2],
    ['network-change', /Write failed with error: -109/g, 2],
    ['another-host', /"host":"other\.test"/g, 2],
    ['preconnect', /"is_preconnect":true,"url":"https:/g, 1],
  ])('%s has its reason in the file', (name, reason, count) =>
    expect(recorded(name).match(reason)).toHaveLength(count),
  );
});

test('docs/browsers.md explains every cause', () => {
  const text = readFileSync(new URL('../../../docs/browsers.md', import.meta.url), 'utf8');
  const section = text.split('### Why a race was run')[1]!.split('###')[0]!;
  expect([...section.matchAll(/^- `([\w-]+)`:/gm)].map(([, cause]) => cause)).toEqual([...RACE_CAUSES]);
});
