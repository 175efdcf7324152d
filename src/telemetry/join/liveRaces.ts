import type { Draft, RequestEvent, TransportEvent } from '../event.ts';
import type { EventFolds } from '../netlog/foldState.ts';
import type { NetLogFacts } from '../netlog/netLogFacts.ts';
import { transportOfNetLog } from './transportOfBrowser.ts';

/** What a page asks of whoever reads the NetLog of its browser while both go on. */
export interface AskedRaces {
  /** Id of the session. */
  readonly session: string;
  readonly startedAtUnixMs: number;
  /** Session time at which it asks, ms. Its clock stands still while the computer sleeps, as that of the NetLog does. */
  readonly nowMs: number;
  /** Requests that have ended and whose races the page does not have. */
  readonly requests: readonly RequestEvent[];
}

export interface KnownRaces {
  /** What will not change any more. */
  readonly finished: readonly TransportEvent[];
  /** Connections and broken periods that go on; their ids stay until they are finished. */
  readonly open: readonly TransportEvent[];
  /** Ids of the requests that are to be asked for again. */
  readonly waiting: readonly string[];
}

/** The NetLog has all of a request when it has something that came so long after its end: its clock and the page's differ by less. */
const LATER_MS = 100;
/** How long a loser may go on without its request. Chromium gives a QUIC handshake up after 4 to 10 s. */
const PATIENCE_MS = 30_000;
/** How long requests and connections that have ended are kept: a hidden page asks once a minute. */
const KEEP_MS = 5 * 60_000;
const MAX_SESSIONS = 20;

/** What is known of a session that asks. */
interface Followed {
  /** By id, those that ended in the last minutes: the more of them are matched at once, the surer is each match. */
  readonly requests: Map<string, RequestEvent>;
  /** Ids of connections and broken periods that ended and that the page has. */
  readonly sent: Set<string>;
}

/**
 * Answers pages with the races of their sessions, from what is known of a NetLog so far; null: nothing is. An event is finished
 * as `pitwall races` will find it in the whole NetLog. Its memory is that of some minutes.
 */
export function createLiveRaces(): (asked: AskedRaces, facts: NetLogFacts | null) => KnownRaces {
  const sessions = new Map<string, Followed>();
  return (asked, facts) => {
    const followed = sessions.get(asked.session) ?? { requests: new Map(), sent: new Set() };
    // The one that was asked for last is the newest.
    sessions.delete(asked.session);
    sessions.set(asked.session, followed);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return racesNow(asked, followed, facts);
  };
}

function racesNow(asked: AskedRaces, followed: Followed, facts: NetLogFacts | null): KnownRaces {
  const { startedAtUnixMs, nowMs, requests } = asked;
  const agoMs = (request: RequestEvent): number => nowMs - endOf(request);
  for (const request of requests) followed.requests.set(request.id, request);
  for (const [id, request] of followed.requests) if (agoMs(request) > KEEP_MS) followed.requests.delete(id);
  const events = facts ? eventsNow(followed, facts, asked) : [];
  const byRequest = new Map(events.map((event) => [event.requestId, event]));
  const reachedMs = (facts?.spanUnixMs?.to ?? -Infinity) - startedAtUnixMs;
  const running = facts ? startsOfRunning(facts, startedAtUnixMs) : new Set();
  const waiting = requests.filter((request) => {
    if (agoMs(request) > PATIENCE_MS) return false;
    const races = byRequest.get(request.id)?.races ?? [];
    return reachedMs < endOf(request) + LATER_MS || races.some(({ startMs }) => running.has(startMs));
  });
  const isAsked = new Set(requests.filter((each) => !waiting.includes(each)).map(({ id }) => id));
  const others = events.filter(({ requestId, id }) => requestId === null && !followed.sent.has(id));
  const ended = others.filter(hasEnded);
  for (const { id } of ended) followed.sent.add(id);
  return {
    finished: [...events.filter(({ requestId }) => isAsked.has(requestId ?? '')), ...ended],
    open: others.filter((event) => !hasEnded(event)),
    waiting: waiting.map(({ id }) => id),
  };
}

const endOf = ({ lastByteMs, endMs, atMs }: RequestEvent): number => lastByteMs ?? endMs ?? atMs;

const hasEnded = ({ connection, races }: TransportEvent): boolean =>
  (connection ? connection.endMs : races[0]?.endMs) !== null;

/** Session times at which races began that have no outcome, or whose loser goes on, ms. */
const startsOfRunning = ({ requests }: NetLogFacts, zeroUnixMs: number): ReadonlySet<number | null> =>
  new Set(
    requests
      .flatMap(({ races }) => races)
      .filter(({ outcome, orphanRuns }) => orphanRuns || outcome === 'unfinished')
      .map(({ startUnixMs }) => startUnixMs - zeroUnixMs),
  );

function eventsNow(
  { requests }: Followed,
  facts: NetLogFacts,
  { startedAtUnixMs, nowMs }: AskedRaces,
): TransportEvent[] {
  const log = {
    clock: { startedAtUnixMs },
    parts: [{ endMs: nowMs }],
    events: [...requests.values()],
  };
  return transportOfNetLog(log, facts).map((draft) => ({ ...draft, id: idOf(draft) }));
}

/** Names an event so that it is known again at the next question. */
const idOf = ({ requestId, connectionId, connection, atMs }: Draft<TransportEvent>): string =>
  `netlog-${requestId ?? (connection ? connectionId : `broken-${atMs}`)}`;

/** Fold behind the reader's own, for a NetLog that has no end: what is over for some minutes is forgotten. */
export function createForgettingFold(): EventFolds {
  let dueUnixMs = 0;
  return {
    'REQUEST_ALIVE 2': ({ found, requests, connections, brokenPeriods }, { unixMs }) => {
      if (unixMs < dueUnixMs) return;
      dueUnixMs = unixMs + KEEP_MS / 5;
      const isOver = (endUnixMs: number | null): boolean =>
        endUnixMs !== null && unixMs - endUnixMs > KEEP_MS;
      const keep = found.filter(
        (each) => requests.get(each.sourceId) === each || !isOver(each.lastByteUnixMs ?? each.startUnixMs),
      );
      found.splice(0, found.length, ...keep);
      for (const [id, { endUnixMs }] of connections) if (isOver(endUnixMs)) connections.delete(id);
      const periods = brokenPeriods.filter(({ endUnixMs }) => !isOver(endUnixMs));
      brokenPeriods.splice(0, brokenPeriods.length, ...periods);
    },
  };
}
