import type { Draft, TransportEvent } from '../event.ts';
import type {
  BrokenPeriod,
  NetLogConnection,
  NetLogFacts,
  NetLogRace,
  NetLogRequest,
} from '../netlog/netLogFacts.ts';
import { redactText } from '../redactUrl.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { matchRequests, type Candidate } from './joinTransport.ts';

type Race = TransportEvent['races'][number];
type Clock = (unixMs: number) => number;

/** As many as the schema holds; a request that raced oftener keeps the last ones. */
const MAX_RACES = 32;

/**
 * What a NetLog knows about the requests of a session, as events of its log: the races of each request, the
 * connections that they used or tried, and the periods in which the Alt-Svc of their hosts was broken. What else the
 * browser did, and what was over before the session, is nobody's business and stays out.
 */
export function transportOfNetLog(log: Joined, facts: NetLogFacts): Draft<TransportEvent>[] {
  const zero = log.clock.startedAtUnixMs;
  const msOf: Clock = (unixMs) => withinYear(unixMs - zero);
  const candidates = candidatesOf(facts.requests);
  const matched = matchRequests(log, candidates);
  const hops = [...matched.values()].flat().flatMap((each) => each.hops);
  const hosts = new Set(
    hops.map(({ url }) => nameIn(/^\w+:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(url)?.[1] ?? '')),
  );
  const used = new Set(hops.flatMap(({ races }) => races.map(({ connectionId }) => connectionId)));
  const connections = [...facts.connections.values()].filter(
    ({ id, kind, peer }) => used.has(id) || (kind === 'quic' && hosts.has(nameIn(peer ?? ''))),
  );
  const endMs = endOf(log);
  const isOurs = ({ startUnixMs, endUnixMs }: Pick<NetLogConnection, 'startUnixMs' | 'endUnixMs'>): boolean =>
    startUnixMs - zero <= endMs && (endUnixMs === null || endUnixMs >= zero);
  return [
    ...[...matched].map(([id, chains]) =>
      racesOf(
        id,
        chains.flatMap(({ hops: own }) => own),
        msOf,
      ),
    ),
    ...connections.filter(isOurs).map((each) => connectionEvent(each, zero)),
    ...facts.brokenPeriods
      .filter((each) => hosts.has(nameIn(each.alternative)) && isOurs(each))
      .map((each) => broken(each, msOf)),
  ].sort((a, b) => a.atMs - b.atMs);
}

/** What is read of a session's log. */
interface Joined extends Pick<SessionLog, 'events'> {
  readonly clock: Pick<SessionLog['clock'], 'startedAtUnixMs'>;
  readonly parts: readonly Pick<SessionLog['parts'][number], 'endMs'>[];
}

/** Session time of the last thing recorded: a NetLog may go on for hours after it. */
const endOf = ({ parts, events }: Joined): number =>
  events.reduce((latest, { atMs }) => Math.max(latest, atMs), parts.at(-1)?.endMs ?? 0);

/** The schema's bounds of a moment: a file that says otherwise must not make a log that is refused. */
const withinYear = (ms: number): number => Math.min(366 * 24 * 3600 * 1000, Math.max(0, ms));

type Chain = Candidate & { readonly hops: readonly NetLogRequest[] };

/** A redirect goes on with the source of the first: together they are one request of the page. */
function candidatesOf(requests: readonly NetLogRequest[]): Chain[] {
  const chains = new Map<number, NetLogRequest[]>();
  for (const request of requests) {
    const chain = chains.get(request.sourceId);
    if (chain) chain.push(request);
    else chains.set(request.sourceId, [request]);
  }
  return [...chains.values()].map((hops) => ({
    url: hops[0]!.url,
    method: hops[0]!.method,
    startUnixMs: hops[0]!.startUnixMs,
    endUnixMs: hops.at(-1)!.lastByteUnixMs,
    receivedBytes: hops.at(-1)!.receivedBytes,
    hops,
  }));
}

/** The name of host:port; an alternative may be on another port of it. */
const nameIn = (authority: string): string => authority.replace(/:\d*$/, '').toLowerCase();

function racesOf(requestId: string, hops: readonly NetLogRequest[], msOf: Clock): Draft<TransportEvent> {
  const races = hops.flatMap((hop) => hop.races).slice(-MAX_RACES);
  const connectionId = races.at(-1)?.connectionId ?? null;
  return {
    kind: 'transport',
    atMs: msOf(hops[0]!.startUnixMs),
    requestId,
    source: 'netlog',
    races: races.map((race) => raceOf(race, msOf)),
    connectionId: connectionId === null ? null : String(connectionId),
    missing: connectionId === null ? { connectionId: races.length === 0 ? 'cached' : 'failed' } : {},
  };
}

function raceOf(race: NetLogRace, msOf: Clock): Race {
  const at = (unixMs: number | null): number | null => (unixMs === null ? null : msOf(unixMs));
  return {
    outcome: race.outcome,
    mainDelayMs: race.mainDelayMs && withinYear(race.mainDelayMs),
    startMs: msOf(race.startUnixMs),
    endMs: at(race.decidedUnixMs),
    mainResumedMs: at(race.mainResumedUnixMs),
    orphanEndMs: at(race.orphanEndUnixMs),
    netError: race.netError,
    connectionId: race.connectionId === null ? null : String(race.connectionId),
    ...(race.cause && { cause: shortened(race.cause) }),
  };
}

function connectionEvent(from: NetLogConnection, zeroUnixMs: number): Draft<TransportEvent> {
  const { id, kind, close, resumed, zeroRtt, packetsSent, packetsReceived, packetsLost } = from;
  const startMs = from.startUnixMs - zeroUnixMs;
  const connection = {
    transport: kind,
    startMs: startMs < 0 ? null : startMs,
    handshakeMs: from.readyUnixMs === null ? null : withinYear(from.readyUnixMs - from.startUnixMs),
    zeroRtt: zeroRtt && shortened(zeroRtt),
    resumed,
    packetsSent,
    packetsReceived,
    packetsLost,
    endMs: from.endUnixMs === null ? null : withinYear(from.endUnixMs - zeroUnixMs),
    close: close && shortened(`${close.error}: ${close.details}`),
    closedByPeer: close && close.fromPeer,
  };
  return { ...ABOUT_NO_REQUEST, atMs: Math.max(0, startMs), races: [], connectionId: String(id), connection };
}

function broken({ startUnixMs, endUnixMs, cause }: BrokenPeriod, msOf: Clock): Draft<TransportEvent> {
  const race: Race = {
    outcome: 'broken',
    mainDelayMs: null,
    startMs: msOf(startUnixMs),
    endMs: endUnixMs === null ? null : msOf(endUnixMs),
    cause: cause && shortened(cause),
  };
  const missing = { ...ABOUT_NO_REQUEST.missing, connectionId: 'not-applicable' } as const;
  return { ...ABOUT_NO_REQUEST, atMs: msOf(startUnixMs), races: [race], connectionId: null, missing };
}

const ABOUT_NO_REQUEST = {
  kind: 'transport',
  requestId: null,
  source: 'netlog',
  missing: { requestId: 'not-applicable' },
} as const;

/** The words come from servers too (a peer's reason phrase), and may quote URLs. */
const shortened = (text: string): string => redactText(text).slice(0, 1000);

/** One response (or failure) as DevTools' Network domain tells it. */
export interface DevToolsResponse extends Candidate {
  /** `Network.AlternateProtocolUsage`; null when no headers came, or the cache answered. */
  readonly alternateProtocolUsage: string | null;
  readonly protocol: string | null;
  /** Chromium's source id of the socket or QUIC session, as the NetLog has it; null when no headers came. */
  readonly connectionId: string | null;
  readonly connectionReused: boolean | null;
  /** e.g. `net::ERR_ABORTED`; null when it ended well. */
  readonly errorText: string | null;
}

/** What DevTools said about the requests of a session, as events of its log. One value for each answer: DevTools knows no list. */
export function transportOfDevTools(
  log: SessionLog,
  responses: readonly DevToolsResponse[],
): Draft<TransportEvent>[] {
  const zero = log.clock.startedAtUnixMs;
  return [...matchRequests(log, responses)]
    .map(([requestId, answers]) => {
      const { connectionId } = answers.at(-1)!;
      return {
        kind: 'transport' as const,
        atMs: Math.max(0, answers[0]!.startUnixMs - zero),
        requestId,
        source: 'devtools' as const,
        races: answers.flatMap(({ alternateProtocolUsage: outcome, startUnixMs }) =>
          outcome === null
            ? []
            : [{ outcome, mainDelayMs: null, startMs: Math.max(0, startUnixMs - zero), endMs: null }],
        ),
        connectionId,
        missing: connectionId === null ? { connectionId: 'failed' as const } : {},
      };
    })
    .sort((a, b) => a.atMs - b.atMs);
}
