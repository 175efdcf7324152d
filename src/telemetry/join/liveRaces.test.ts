import { expect, it } from 'vitest';
import type { RequestEvent, TransportEvent } from '../event.ts';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { exampleNetLog, silencedSession, TICK_ZERO_UNIX_MS } from '../netlog/exampleNetLog.testing.ts';
import { createCauseFolds } from '../netlog/foldCauses.ts';
import type { NetLogFacts } from '../netlog/netLogFacts.ts';
import { createNetLogReader } from '../netlog/readNetLog.ts';
import { createForgettingFold, createLiveRaces, type KnownRaces } from './liveRaces.ts';
import { transportOfNetLog } from './transportOfBrowser.ts';

const ORIGIN = 'https://origin.test:8443';
const request = (id: string, name: string, [startMs, lastByteMs]: [number, number | null]): RequestEvent =>
  exampleRequest({
    id,
    url: `${ORIGIN}/${name}`,
    atMs: startMs,
    startMs,
    lastByteMs,
    endMs: lastByteMs ?? startMs + 6110,
    encodedBodyBytes: null,
    receivedBytes: null,
  });
/** What the page plays, of which `silencedSession` is the NetLog. */
const requests = [
  request('a0', 'manifest.mpd', [1, 70]),
  request('a1', 'init.mp4', [101, 130]),
  request('a2', '1.m4s', [201, null]),
  request('a3', '2.m4s', [302, 6330]),
  request('a4', '3.m4s', [6401, 6430]),
];
// The session goes on, and so does the browser.
const lines = silencedSession().event('TCP_CONNECT 1', 9000, 900).text().split('\n');

function factsOf(text: string): NetLogFacts {
  const reader = createNetLogReader({ ...createCauseFolds(), ...createForgettingFold() });
  reader.push(text);
  const facts = reader.end();
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}

/** A page that asks after each line of the NetLog, at the time of its newest event. */
function ask(of: readonly RequestEvent[] = requests) {
  const answer = createLiveRaces();
  const got = new Map<string, TransportEvent>();
  const history: KnownRaces[] = [];
  let pending = [...of];
  for (let end = 3; end <= lines.length; end += 1) {
    const facts = factsOf(`${lines.slice(0, end).join('\n')}\n`);
    const nowUnixMs = facts.spanUnixMs?.to ?? TICK_ZERO_UNIX_MS;
    const over = pending.filter(({ endMs }) => TICK_ZERO_UNIX_MS + endMs! <= nowUnixMs);
    const known = answer(
      {
        session: 's',
        startedAtUnixMs: TICK_ZERO_UNIX_MS,
        nowMs: nowUnixMs - TICK_ZERO_UNIX_MS,
        requests: over,
      },
      facts,
    );
    for (const event of known.finished) {
      expect(got.has(event.id), `${event.id} is finished once`).toBe(false);
      got.set(event.id, event);
    }
    pending = pending.filter((each) => !over.includes(each) || known.waiting.includes(each.id));
    history.push(known);
  }
  return { finished: [...got.values()], open: history.at(-1)!.open, pending, history };
}

const withoutId = ({ id: _, ...draft }: TransportEvent) => draft;

it('what is finished and what is open make what the whole NetLog says', () => {
  const { finished, open, pending } = ask();
  const log = exampleLog({ segments: 0, extra: requests });
  const whole = transportOfNetLog(
    { ...log, events: requests, parts: [{ endMs: 9000 }] },
    factsOf(lines.join('\n')),
  );
  const sent = [...finished, ...open].map(withoutId);
  expect(sent).toHaveLength(whole.length);
  expect(sent).toEqual(expect.arrayContaining(whole));
  expect(pending).toEqual([]);
  expect(finished.flatMap(({ races }) => races.flatMap(({ cause }) => cause ?? []))).toContain('discovery');
});

it('a broken period is open from its begin, under one id', () => {
  const { history, open } = ask();
  const periods = history.flatMap((known) => known.open.filter(({ races }) => races.length > 0));
  expect(periods.length).toBeGreaterThan(1);
  expect(new Set(periods.map(({ id }) => id))).toEqual(new Set(['netlog-broken-6300']));
  expect(open.map(({ id }) => id)).toEqual(['netlog-40', 'netlog-broken-6300']);
});

it('a request waits until its loser is through, and the NetLog has gone on', () => {
  const { history } = ask();
  const first = history.find(({ finished }) => finished.some(({ requestId }) => requestId === 'a1'))!;
  expect(first.finished.find(({ requestId }) => requestId === 'a1')!.races).toMatchObject([
    { outcome: 'main-won', orphanEndMs: 133 },
  ]);
  expect(history.some(({ waiting }) => waiting.includes('a1'))).toBe(true);
});

it('what the NetLog does not have is not asked for again, and without a NetLog not for long', () => {
  const other = request('z', 'elsewhere.m4s', [300, 310]);
  expect(ask([other])).toMatchObject({ finished: [], pending: [] });
  const answer = createLiveRaces();
  const asked = { session: 's', startedAtUnixMs: TICK_ZERO_UNIX_MS, requests: [other] };
  const at = (nowMs: number) => answer({ ...asked, nowMs }, null).waiting;
  expect([at(1000), at(30_400)]).toEqual([['z'], []]);
});

it('a loser that goes on for ever is not waited for', () => {
  const log = exampleNetLog()
    .event('QUIC_SESSION 1', 0, 50, { host: 'origin.test', port: 8443 })
    .request(10, 0, `${ORIGIN}/1.m4s`, { broken: false })
    .job(12, 0, { request: 10, type: 'alternative' })
    .job(13, 0, { request: 10, type: 'main' })
    .bind(10, 1, 13)
    .event('HTTP_STREAM_JOB_ORPHANED 0', 1, 12)
    .finish(10, 20, { bytes: 10 })
    .event('TCP_CONNECT 1', 40_000, 900);
  const asked = {
    session: 's',
    startedAtUnixMs: TICK_ZERO_UNIX_MS,
    requests: [request('a', '1.m4s', [0, 30])],
  };
  const facts = factsOf(log.text());
  const answer = createLiveRaces();
  expect(answer({ ...asked, nowMs: 20_000 }, facts).waiting).toEqual(['a']);
  const { finished, waiting } = answer({ ...asked, nowMs: 31_000 }, facts);
  expect(waiting).toEqual([]);
  expect(finished.flatMap(({ races }) => races)).toMatchObject([{ outcome: 'main-won', orphanEndMs: null }]);
});

it('what ended minutes ago is forgotten, and what goes on is not', () => {
  const log = exampleNetLog();
  log.event('QUIC_SESSION 1', 0, 9, { host: 'origin.test', port: 8443 });
  log.request(5, 0, `${ORIGIN}/long`);
  for (let minute = 0; minute < 60; minute += 1) {
    const [id, ms] = [100 + minute * 10, minute * 60_000];
    log.event('TCP_CONNECT 1', ms, id + 5).event('SOCKET_ALIVE 2', ms + 50, id + 5);
    log.request(id, ms, `${ORIGIN}/${minute}`).finish(id, ms + 10, { bytes: 1 });
  }
  const { requests: kept, connections } = factsOf(log.text());
  expect(kept.map(({ url }) => url.split('/').at(-1))).toEqual(['long', '54', '55', '56', '57', '58', '59']);
  expect([...connections.keys()].filter((id) => id === 9)).toEqual([9]);
  expect(connections.size).toBeLessThan(9);
});
