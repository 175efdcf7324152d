import { alternativeIn } from './foldConnections.ts';
import type { EventFolds, FoldState, RaceDraft } from './foldState.ts';
import { dependencyIn, type NetLogEvent } from './netLogEvents.ts';
import type { NetLogConnection, RaceOutcome } from './netLogFacts.ts';

/** Why a browser raced QUIC and TCP for a request: `docs/browsers.md`. */
export const RACE_CAUSES = [
  'discovery',
  'another-host',
  'idle-end',
  'closed-by-server',
  'broken-over',
  'network-change',
  'preconnect',
  'unknown',
] as const;

/** A cause, or `unknown: ` and its reason. */
type Cause = Exclude<(typeof RACE_CAUSES)[number], 'unknown'> | `unknown: ${string}`;

/**
 * Makes folds that find out why each race was run: from what became of the newest QUIC connection to its server.
 * They serve one reading, behind the reader's own folds, which know connections and broken periods first.
 */
export function createCauseFolds(): EventFolds {
  const known: Known = {
    asked: new WeakMap(),
    found: new WeakMap(),
    overTcp: new Set(),
    reusing: new WeakSet(),
    newest: new Map(),
    ended: new Map(),
    attempts: new Map(),
    networkUnixMs: -Infinity,
  };
  const noteNetwork: EventFolds[string] = (_state, { unixMs }) => void (known.networkUnixMs = unixMs);
  const endAs = (id: number, cause: Cause): void => {
    if (!known.ended.has(id)) known.ended.set(id, cause);
  };
  const goAway: EventFolds[string] = (_state, { sourceId }) => endAs(sourceId, 'closed-by-server');
  return {
    'HTTP_STREAM_JOB_CONTROLLER 1': ({ controllers }, { sourceId, params }) => {
      const race = controllers.get(sourceId);
      if (race) known.asked.set(race, { isPreconnect: params['is_preconnect'] === true });
    },
    'HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0': (state, event) => noteAltSvc(state, known, event),
    'HTTP_STREAM_JOB 1': ({ jobs }, { sourceId }) => {
      const job = jobs.get(sourceId);
      if (job?.kind === 'main' && known.asked.has(job.race)) known.overTcp.add(job.race.place);
    },
    'QUIC_SESSION 1': ({ connections }, { sourceId }) =>
      void known.newest.set(connections.get(sourceId)?.peer ?? '', sourceId),
    // One connection serves several hosts where its certificate has their names (RFC 9114, section 3.3).
    'HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0': ({ requests, connections }, { sourceId, params }) => {
      const race = requests.get(sourceId)?.races.at(-1);
      if (race && known.reusing.has(race)) settle(known, race, RACED.has(race.outcome));
      const place = race?.place;
      const id = dependencyIn(params);
      if (place === undefined || id === null || !connections.has(id)) return;
      const newest = known.newest.get(place);
      if (newest === undefined || known.ended.has(newest)) known.newest.set(place, id);
    },
    'QUIC_SESSION_GOAWAY_FRAME_RECEIVED 0': goAway,
    'HTTP3_GOAWAY_RECEIVED 0': goAway,
    // Chromium says NETWORK_CHANGED of both, 2 s later: connections of the new network are there by then.
    'NETWORK_IP_ADDRESSES_CHANGED 0': noteNetwork,
    'NETWORK_CONNECTIVITY_CHANGED 0': noteNetwork,
    'QUIC_SESSION_CLOSED 0': ({ connections }, { sourceId }) => {
      const connection = connections.get(sourceId);
      if (connection) endAs(sourceId, causeOfEnd(connection, known));
    },
    'HTTP_STREAM_REQUEST_BOUND_TO_JOB 0': ({ requests, jobs }, { sourceId, params }) => {
      const race = requests.get(sourceId)?.races.at(-1);
      const isCharged = Boolean(jobs.get(dependencyIn(params) ?? NaN)?.charged);
      if (race) settle(known, race, isCharged);
    },
    ...foldsOfPool(known),
  };
}

/** With HappyEyeballsV3 no job tells how a race ended, and one that TCP has won may become a race only now. */
const foldsOfPool = (known: Known): EventFolds => ({
  'HTTP_STREAM_POOL_JOB_CONTROLLER_ALIVE 1': ({ controllers }, { sourceId }) => {
    const race = controllers.get(sourceId);
    if (race && known.asked.get(race)?.isPreconnect === false) known.overTcp.add(race.place);
  },
  'HTTP_STREAM_POOL_JOB_CONTROLLER_FOUND_EXISTING_QUIC_SESSION 0': ({ controllers }, { sourceId }) => {
    const race = controllers.get(sourceId);
    if (race) known.reusing.add(race);
  },
  'HTTP_STREAM_REQUEST 2': ({ requests }, { sourceId }) => {
    const race = requests.get(sourceId)?.races.at(-1);
    if (race?.isPooled && race.outcome !== 'cancelled') settle(known, race);
  },
  'HTTP_STREAM_POOL_ATTEMPT_MANAGER_QUIC_ATTEMPT_BOUND 0': ({ managers }, { sourceId }) => {
    const race = managers.get(sourceId)?.beside;
    if (race) settle(known, race);
  },
});

/** Gives a race that is decided its cause. A handshake that is charged to it is that of a preconnect. */
function settle({ found, attempts }: Known, race: RaceDraft, isCharged = false): void {
  if (REUSED.has(race.outcome) && attempts.get(race.place)?.race === race) attempts.delete(race.place);
  if (isCharged && !found.has(race)) found.set(race, 'preconnect');
  if (RACED.has(race.outcome)) race.cause = found.get(race) ?? (race.altSvcFound ? UNUSED : OF_DNS);
  else delete race.cause;
}

/**
 * What one reading knows so far. A place is host:port of the URL: so Chromium names QUIC connections, also where Alt-Svc leads to
 * another port or host (`QuicSessionRequest::Request`, net/quic/quic_session_pool.cc).
 */
interface Known {
  /** What a race is for, as long as no h3 was found for it. */
  readonly asked: WeakMap<RaceDraft, { readonly isPreconnect: boolean }>;
  /** Why a race is run, if it is. */
  readonly found: WeakMap<RaceDraft, Cause>;
  /** Places that were asked over TCP because no h3 was known. */
  readonly overTcp: Set<string>;
  /** HappyEyeballsV3: races that found an open QUIC connection. */
  readonly reusing: WeakSet<RaceDraft>;
  /** The newest QUIC connection to a place, or the one of another host that serves it. */
  readonly newest: Map<string, number>;
  /** Why a QUIC connection takes no more requests. */
  readonly ended: Map<number, Cause>;
  /** Why the newest attempt for a place was made, and which connection was its newest then. */
  readonly attempts: Map<string, Attempt>;
  /** When the browser last noticed that its network or address had changed. */
  networkUnixMs: number;
}

interface Attempt {
  readonly race: RaceDraft;
  readonly before: number | undefined;
  readonly cause: Cause;
}

/** Chromium gives a connection without answers up after some 6 s (`udp-block` in `docs/networks.md`), one that cannot send at once. */
const GIVEN_UP_MS = 10_000;

const IDLE: ReadonlySet<string> = new Set(['QUIC_NETWORK_IDLE_TIMEOUT', 'QUIC_SILENT_IDLE_TIMEOUT']);

/** What has a cause: QUIC and TCP were tried, and one of them connected. */
export const RACED: ReadonlySet<RaceOutcome | null> = new Set([
  'alternative-won',
  'dns-alpn-won',
  'main-won',
  'main-after-quic-failed',
] as const);

/** No attempt was made, whatever there was to make one for. */
const REUSED: ReadonlySet<RaceOutcome | null> = new Set(['alternative-reused', 'dns-alpn-reused'] as const);

const UNUSED: Cause = 'unknown: an open QUIC connection was not used';
const OF_DNS: Cause = 'unknown: h3 was known from DNS';
const KNOWN_BEFORE: Cause = 'unknown: h3 was known before the NetLog began';

/** Chromium logs it twice: only the first meets what was there before this race. */
function noteAltSvc(state: FoldState, known: Known, { sourceId, unixMs, params }: NetLogEvent): void {
  const race = state.controllers.get(sourceId);
  const alternative = alternativeIn(params);
  const asked = race && known.asked.get(race);
  if (!asked || alternative === undefined) return;
  known.asked.delete(race);
  if (params['is_broken'] === true) return;
  const { place } = race;
  const before = known.newest.get(place);
  const isOver = isBrokenOver(state, alternative, unixMs);
  const running = isOver ? null : runningCause(state, known, place);
  const cause = running ?? (isOver ? 'broken-over' : newCause(known, place));
  if (cause === null) return;
  race.cause = cause;
  known.found.set(race, cause);
  if (running === null)
    known.attempts.set(place, { race, before, cause: asked.isPreconnect ? 'preconnect' : cause });
}

const isBrokenOver = ({ brokenPeriods }: FoldState, alternative: string, unixMs: number): boolean =>
  brokenPeriods.some((each) => each.alternative === alternative && each.endUnixMs === unixMs);

/** Returns the cause of an attempt that was made for an earlier race and still runs; null where there is none. */
function runningCause({ connections }: FoldState, { newest, attempts }: Known, place: string): Cause | null {
  const attempt = attempts.get(place);
  if (!attempt) return null;
  const id = newest.get(place);
  // Its connection begins some ms after the attempt, when the name is resolved.
  if (attempt.before === id) return attempt.cause;
  const connection = connections.get(id ?? NaN);
  return connection?.readyUnixMs === null && connection.endUnixMs === null ? attempt.cause : null;
}

/** Returns why an attempt is made now; null where an open connection takes the request. */
function newCause({ newest, ended, overTcp }: Known, place: string): Cause | null {
  const id = newest.get(place);
  if (id !== undefined) return ended.get(id) ?? null;
  if (overTcp.has(place)) return 'discovery';
  return newest.size > 0 ? 'another-host' : KNOWN_BEFORE;
}

function causeOfEnd(
  { startUnixMs, readyUnixMs, endUnixMs, close }: NetLogConnection,
  { networkUnixMs }: Pick<Known, 'networkUnixMs'>,
): Cause {
  const error = close?.error ?? 'no error';
  if (close?.fromPeer) return 'closed-by-server';
  // A handshake that nobody answers ends with this error too, after 4 s.
  if (readyUnixMs !== null && IDLE.has(error)) return 'idle-end';
  const isChanged = startUnixMs <= networkUnixMs && (endUnixMs ?? Infinity) - networkUnixMs <= GIVEN_UP_MS;
  return isChanged ? 'network-change' : `unknown: the QUIC connection before it ended with ${error}`;
}
