import type { Draft, RequestEvent, TransportEvent } from '../event.ts';
import { decideOutcomes, type CarriedRequest, type DecidedRace } from '../packets/decideOutcomes.ts';
import type { ConnectionAttempt, PacketFacts } from '../packets/packetFacts.ts';
import { createHostOf, settledUnixMs } from '../packets/packetRaces.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { matchRequests, type Candidate } from './joinTransport.ts';

/** A request that an origin answered, as its access log has it. */
export interface AnsweredRequest {
  /** Host and port as asked. */
  readonly host: string;
  /** Path and query as asked. */
  readonly uri: string;
  readonly method: string;
  readonly overQuic: boolean;
  /** Port of the client; null: the log does not have it. */
  readonly clientPort: number | null;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly sizeBytes: number;
}

/** An answered request with the attempt whose connection carried it. */
type Answer = Candidate & { readonly attempt: ConnectionAttempt };

/** Clocks of origin and capture are those of one machine; the origin notes a request after its packets have come. */
const APART_MS = 100;

/** Joins an origin's answers with the connections of a capture, by transport and port of the client. */
export function carriedBy(
  { attempts }: Pick<PacketFacts, 'attempts'>,
  answered: readonly AnsweredRequest[],
): Answer[] {
  const byPort = new Map<string, ConnectionAttempt[]>();
  for (const attempt of attempts) {
    const key = `${attempt.protocol} ${attempt.client.port}`;
    byPort.set(key, [...(byPort.get(key) ?? []), attempt]);
  }
  return answered.flatMap(({ host, uri, method, overQuic, clientPort, sizeBytes, ...times }) => {
    const { startUnixMs, endUnixMs } = times;
    const attempt = (byPort.get(`${overQuic ? 'quic' : 'tcp'} ${clientPort}`) ?? []).findLast(
      ({ firstUnixMs, lastUnixMs }) =>
        firstUnixMs <= startUnixMs + APART_MS && startUnixMs <= lastUnixMs + APART_MS,
    );
    if (!attempt) return [];
    const scheme = attempt.alpn === null && attempt.protocol === 'tcp' ? 'http' : 'https';
    return [
      { url: `${scheme}://${host}${uri}`, method, startUnixMs, endUnixMs, receivedBytes: sizeBytes, attempt },
    ];
  });
}

/**
 * What a capture knows about the requests of a session which an origin answered, as events of its log: the race of each, and
 * the connections that were tried to their hosts.
 */
export function transportOfPackets(
  log: SessionLog,
  facts: PacketFacts,
  answered: readonly AnsweredRequest[],
): Draft<TransportEvent>[] {
  const zero = log.clock.startedAtUnixMs;
  const requests = new Map(
    log.events.flatMap((event) => (event.kind === 'request' ? [[event.id, event] as const] : [])),
  );
  const carried = [...matchRequests(log, carriedBy(facts, answered))].flatMap(([id, answers]) =>
    answers.map((answer, place) => ({
      id,
      ...timesOf(requests.get(id)!, { answer, place: answers.length > 1 ? place : null, zero }),
      attempt: answer.attempt,
    })),
  );
  const decided = decideOutcomes(facts, carried);
  const byRequest = new Map<string, Decided[]>();
  for (const [index, request] of carried.entries())
    byRequest.set(request.id, [...(byRequest.get(request.id) ?? []), { request, race: decided[index]! }]);
  const idOf = createIdOf(facts);
  const hostOf = createHostOf(facts.attempts);
  const hosts = new Set(carried.map(({ attempt }) => hostOf(attempt)));
  const endMs = log.events.reduce((latest, { atMs }) => Math.max(latest, atMs), log.parts.at(-1)?.endMs ?? 0);
  return [
    ...[...byRequest].map(([id, races]) => racesOf(id, races, { zero, idOf })),
    ...facts.attempts
      .filter(
        (each) => hosts.has(hostOf(each)) && each.lastUnixMs >= zero && each.firstUnixMs - zero <= endMs,
      )
      .map((each) => connectionEvent(each, { zero, id: idOf(each) })),
  ].sort((one, other) => one.atMs - other.atMs);
}

interface Decided {
  readonly request: CarriedRequest;
  readonly race: DecidedRace;
}

/** The page's times of a request, or of one of its ranges. `place` is its place among them; null: it is the only answer. */
function timesOf(
  { startMs, atMs, firstByteMs, ranges }: RequestEvent,
  { answer, place, zero }: { readonly answer: Answer; readonly place: number | null; readonly zero: number },
): Pick<CarriedRequest, 'startUnixMs' | 'firstByteUnixMs'> {
  const times = ranges ? (place === null ? null : ranges[place]) : { startMs: startMs ?? atMs, firstByteMs };
  // Of one range among several that were not answered, only the origin's times are known.
  if (!times) return { startUnixMs: answer.startUnixMs, firstByteUnixMs: null };
  const at = (ms: number | null): number | null => (ms === null ? null : zero + ms);
  return { startUnixMs: at(times.startMs) ?? answer.startUnixMs, firstByteUnixMs: at(times.firstByteMs) };
}

/** Connections are counted in the order of their first packets, from 1. */
export function createIdOf({
  attempts,
}: Pick<PacketFacts, 'attempts'>): (attempt: ConnectionAttempt) => string {
  const ids = new Map(attempts.map((attempt, index) => [attempt, String(index + 1)]));
  return (attempt) => ids.get(attempt)!;
}

function racesOf(
  requestId: string,
  races: readonly Decided[],
  { zero, idOf }: { readonly zero: number; readonly idOf: (attempt: ConnectionAttempt) => string },
): Draft<TransportEvent> {
  const at = (unixMs: number | null): number | null => (unixMs === null ? null : Math.max(0, unixMs - zero));
  return {
    kind: 'transport',
    atMs: Math.max(0, races[0]!.request.startUnixMs - zero),
    requestId,
    source: 'packets',
    races: races.map(({ request: { startUnixMs, attempt }, race: { outcome, quic } }) => ({
      outcome,
      mainDelayMs: null,
      startMs: at(startUnixMs),
      endMs: at(attempt.readyUnixMs === null ? null : Math.max(startUnixMs, attempt.readyUnixMs)),
      orphanEndMs: outcome === 'main-won' && quic ? at(settledUnixMs(quic)) : null,
      connectionId: idOf(attempt),
    })),
    connectionId: idOf(races.at(-1)!.request.attempt),
    missing: {},
  };
}

function connectionEvent(
  attempt: ConnectionAttempt,
  { zero, id }: { readonly zero: number; readonly id: string },
): Draft<TransportEvent> {
  const { protocol, startUnixMs, firstUnixMs, readyUnixMs, end } = attempt;
  const startMs = startUnixMs === null || startUnixMs < zero ? null : startUnixMs - zero;
  return {
    kind: 'transport',
    atMs: Math.max(0, firstUnixMs - zero),
    requestId: null,
    source: 'packets',
    races: [],
    connectionId: id,
    connection: {
      transport: protocol,
      startMs,
      handshakeMs: startUnixMs === null || readyUnixMs === null ? null : readyUnixMs - startUnixMs,
      zeroRtt: attempt.zeroRtt ? 'sent' : null,
      resumed: null,
      // A datagram may have several packets of QUIC.
      packetsSent: null,
      packetsReceived: null,
      packetsLost: null,
      endMs: end && Math.max(0, end.atUnixMs - zero),
      close: end && end.how,
      closedByPeer: end && end.by === 'server',
    },
    missing: { requestId: 'not-applicable' },
  };
}
