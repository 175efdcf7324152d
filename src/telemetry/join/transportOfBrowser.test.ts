import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TransportEvent } from '../event.ts';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { silencedSession } from '../netlog/exampleNetLog.testing.ts';
import { RACE_OUTCOMES } from '../netlog/netLogFacts.ts';
import { readNetLog } from '../netlog/readNetLog.ts';
import { checkSession } from '../schema/readSession.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { withTransport } from './joinTransport.ts';
import { transportOfDevTools, transportOfNetLog, type DevToolsResponse } from './transportOfBrowser.ts';
import { CONSISTENT_TRIPLES, inconsistencies, unknownRaces } from './transportSources.ts';

const ORIGIN = 'https://origin.test:8443';
const requestAt = (id: string, name: string, [startMs, lastByteMs]: [number, number | null]) =>
  exampleRequest({
    id,
    url: `${ORIGIN}/${name}`,
    atMs: startMs,
    startMs,
    lastByteMs,
    endMs: lastByteMs ?? startMs + 6000,
    encodedBodyBytes: null,
    receivedBytes: null,
  });

/** The page's log of the session that `silencedSession` is the NetLog of. */
const log: SessionLog = exampleLog({
  segments: 0,
  extra: [
    requestAt('a0', 'manifest.mpd', [1, 70]),
    requestAt('a1', 'init.mp4', [101, 130]),
    requestAt('a2', '1.m4s', [201, null]),
    requestAt('a3', '2.m4s', [302, 6330]),
    requestAt('a4', '3.m4s', [6401, 6430]),
  ],
});

function factsOf(text: string) {
  const facts = readNetLog(text);
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}
const reported = withTransport(log, 'netlog', transportOfNetLog(log, factsOf(silencedSession().text())));
const transports = (of: SessionLog) =>
  of.events.filter((event): event is TransportEvent => event.kind === 'transport');
const about = (id: string | null) => transports(reported).filter(({ requestId }) => requestId === id);

describe('the NetLog of a session', () => {
  it('makes a valid log', () => {
    expect(checkSession(JSON.parse(JSON.stringify(reported)))).toMatchObject({ ok: true });
  });

  it('gives a restarted request both of its races, on the session’s clock', () => {
    expect(about('a3')).toMatchObject([
      {
        atMs: 300,
        connectionId: '40',
        races: [
          { outcome: 'alternative-reused', startMs: 300, endMs: 301, netError: -356, connectionId: '50' },
          { outcome: 'main-alone', startMs: 6301, endMs: 6302, netError: null, connectionId: '40' },
        ],
      },
    ]);
  });

  it('gives a failed request its net error', () => {
    expect(about('a2')[0]!.races).toMatchObject([{ outcome: 'alternative-reused', netError: -356 }]);
  });

  it('tells the connections and the broken period once each', () => {
    expect(about(null).map(({ races, connection }) => connection?.close ?? races[0]?.cause ?? null)).toEqual([
      null,
      'QUIC_TOO_MANY_RTOS: Network blackhole detected',
      'QUIC_TOO_MANY_RTOS: Network blackhole detected',
    ]);
    expect(about(null)[1]!.connection).toMatchObject({
      transport: 'quic',
      startMs: 100,
      handshakeMs: 31,
      zeroRtt: 'NotAttempted',
      packetsLost: 1,
      endMs: 6300,
      closedByPeer: false,
    });
    expect(about(null)[2]!.races[0]).toMatchObject({ outcome: 'broken', startMs: 6300, endMs: null });
  });

  it('keeps out what the browser did for others', () => {
    const text = silencedSession()
      .request(900, 300, 'https://elsewhere.test/secret', { broken: true })
      .event('QUIC_SESSION 1', 300, 99, { host: 'elsewhere.test', port: 443 })
      .text();
    expect(transportOfNetLog(log, factsOf(text))).toEqual(
      transportOfNetLog(log, factsOf(silencedSession().text())),
    );
  });

  it('keeps out what happened after the session', () => {
    const later = silencedSession()
      .request(910, 80_000, `${ORIGIN}/other.m4s`, { broken: false })
      .request(920, 90_000, `${ORIGIN}/other.m4s`, { broken: true })
      .event('QUIC_SESSION 1', 90_000, 99, { host: 'origin.test', port: 8443 });
    const events = transportOfNetLog(log, factsOf(later.text()));
    expect(events.filter(({ races }) => races[0]?.outcome === 'broken')).toHaveLength(1);
    expect(events.filter(({ connectionId }) => connectionId === '99')).toEqual([]);
  });

  it('keeps out what was over before the session: a visit that warmed the browser', () => {
    const visited = silencedSession()
      .request(930, -5000, `${ORIGIN}/manifest.mpd`)
      .event('QUIC_SESSION 1', -5000, 97, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_CLOSED 0', -3000, 97, { details: 'All sessions are closed.', quic_error: 25 })
      .event('QUIC_SESSION 2', -3000, 97)
      .finish(930, -4900, { bytes: 4000 });
    expect(transportOfNetLog(log, factsOf(visited.text()))).toEqual(
      transportOfNetLog(log, factsOf(silencedSession().text())),
    );
  });

  it('makes a valid log out of numbers that Chromium would not write', () => {
    const strange = silencedSession()
      .request(700, 6401, `${ORIGIN}/3.m4s`, { broken: false })
      .job(710, 6401, { request: 700, type: 'main' })
      .event('HTTP_STREAM_JOB_DELAYED 0', 6401, 701, { delay: -1e15 })
      .event('HTTP_STREAM_JOB_RESUMED 0', 1e15, 710)
      .bind(700, -1e14, 710)
      .event('QUIC_SESSION 1', 6000, 98, { host: 'origin.test', port: 8443 })
      .event('QUIC_SESSION_ZERO_RTT_STATE 0', 6000, 98, { state: 'x'.repeat(9000) })
      .event('QUIC_SESSION_CLOSED 0', -5, 98, { details: 'y'.repeat(9000), quic_error: 3.5 })
      .finish(700, 6402, { netError: 12.5 });
    const odd = withTransport(log, 'netlog', transportOfNetLog(log, factsOf(strange.text())));
    expect(checkSession(JSON.parse(JSON.stringify(odd)))).toMatchObject({ ok: true });
  });

  it('opened again replaces what it had reported', () => {
    const again = withTransport(
      reported,
      'netlog',
      transportOfNetLog(log, factsOf(silencedSession().text())),
    );
    expect(again.events).toEqual(reported.events);
  });
});

describe('DevTools beside it', () => {
  const USAGES = ['unspecifiedReason', 'mainJobWonRace', null, 'unspecifiedReason', 'unspecifiedReason'];
  const responses = (changes: Partial<DevToolsResponse> = {}): DevToolsResponse[] =>
    log.events
      .filter((event) => event.kind === 'request' && event.id.startsWith('a'))
      .map((event, index) => ({
        url: event.kind === 'request' ? event.url : '',
        method: 'GET',
        startUnixMs: log.clock.startedAtUnixMs + event.atMs,
        endUnixMs: null,
        receivedBytes: null,
        protocol: null,
        connectionReused: null,
        errorText: null,
        alternateProtocolUsage: USAGES[index] ?? null,
        connectionId: USAGES[index] ? '40' : null,
        ...(index === 4 ? changes : {}),
      }));
  const both = (changes?: Partial<DevToolsResponse>) =>
    withTransport(reported, 'devtools', transportOfDevTools(log, responses(changes)));

  it('is valid and consistent', () => {
    expect(checkSession(JSON.parse(JSON.stringify(both())))).toMatchObject({ ok: true });
    expect(transports(both()).filter(({ source }) => source === 'devtools')).toHaveLength(5);
    expect(inconsistencies(both())).toEqual([]);
  });

  it('is a fault when its value does not fit the outcome, or its connection is another', () => {
    expect(inconsistencies(both({ alternateProtocolUsage: 'alternativeJobWonRace' }))).toEqual([
      'request a4: DevTools says alternativeJobWonRace, the NetLog main-broken',
    ]);
    expect(inconsistencies(both({ connectionId: '50' }))).toEqual([
      'request a4: DevTools names connection 50, the NetLog 40',
    ]);
  });

  it('says nothing of races of HappyEyeballsV3, but its connection is the same', () => {
    const raced = (changes: Partial<DevToolsResponse>, happyEyeballs: boolean): SessionLog => {
      const log = both({ alternateProtocolUsage: 'unspecifiedReason', ...changes });
      const events = log.events.map((event) =>
        event.kind === 'transport' && event.requestId === 'a4' && event.source === 'netlog'
          ? { ...event, races: event.races.map((race) => ({ ...race, outcome: 'alternative-won' })) }
          : event,
      );
      return { ...log, environment: { ...log.environment, happyEyeballs }, events };
    };
    expect(inconsistencies(raced({}, true))).toEqual([]);
    expect(inconsistencies(raced({}, false))).toEqual([
      'request a4: DevTools says unspecifiedReason, the NetLog alternative-won',
    ]);
    expect(inconsistencies(raced({ alternateProtocolUsage: 'mainJobWonRace' }, true))).toEqual([
      'request a4: DevTools says mainJobWonRace, the NetLog alternative-won',
    ]);
    expect(inconsistencies(raced({ connectionId: '50' }, true))).toEqual([
      'request a4: DevTools names connection 50, the NetLog 40',
    ]);
  });
});

describe('the session beside it', () => {
  const withOutcome = (outcome: string): SessionLog => ({
    ...reported,
    events: reported.events.map((event) =>
      event.kind === 'transport' && event.requestId === 'a4'
        ? { ...event, races: event.races.map((race) => ({ ...race, outcome })) }
        : event,
    ),
  });

  it.each(['failed', 'cancelled', 'unfinished'])(
    'an answered request whose last race is %s is a fault',
    (outcome) =>
      expect(inconsistencies(withOutcome(outcome))).toEqual([
        `request a4: it was answered, but the NetLog's last race of it is ${outcome}`,
      ]),
  );

  it('an outcome that is not known contradicts nothing, and is counted', () => {
    expect(inconsistencies(withOutcome('unknown'))).toEqual([]);
    const facts = factsOf(silencedSession().text());
    const race = { ...facts.requests[0]!.races[0]!, outcome: 'unknown' as const };
    const unknown = { ...facts, requests: [{ ...facts.requests[0]!, races: [race, race] }] };
    expect(unknownRaces(facts)).toEqual([]);
    expect(unknownRaces({ ...unknown, lacking: ['A', 'B'] })).toEqual([
      "how 2 races ended is unknown: the browser's table of events has no A, B",
    ]);
    expect(unknownRaces(unknown)).toEqual([
      'how 2 races ended is unknown: the browser logged nothing that brought their connections',
    ]);
  });
});

describe('the table of consistent triples', () => {
  it('has a triple for every outcome that brings a response', () => {
    const without = RACE_OUTCOMES.filter((each) => !CONSISTENT_TRIPLES.some(({ netLog }) => netLog === each));
    expect(without).toEqual(['failed', 'cancelled', 'unfinished', 'unknown']);
  });

  it('is the table of docs/browsers.md', () => {
    const text = readFileSync(new URL('../../../docs/browsers.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| `(\w+)` +\| `([\w-]+)`(?:; `([\w-]+)`)? +\| (seen|defined) +\|/gm)];
    expect(
      rows.map(([, devTools, netLog, packets = netLog, known]) => [devTools, netLog, packets, known]),
    ).toEqual(
      CONSISTENT_TRIPLES.map(({ devTools, netLog, packets, known }) => [devTools, netLog, packets, known]),
    );
  });

  it('lists no triple twice', () => {
    const names = CONSISTENT_TRIPLES.map(({ devTools, netLog }) => `${devTools} ${netLog}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
