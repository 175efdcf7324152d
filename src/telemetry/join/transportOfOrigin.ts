import type { Draft, RequestEvent, TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

type OriginConnection = NonNullable<TransportEvent['origin']>;
type PathSample = OriginConnection['samples'][number];

/** What an origin wrote about one of its connections at one moment of the machine's wall clock. */
export interface OriginSample extends Omit<PathSample, 'atMs'> {
  readonly atUnixMs: number;
  readonly event: 'opened' | 'sample' | 'closed';
  /** As its Server-Timing names it. */
  readonly connection: number;
  readonly protocol: string;
  readonly controller: string | null;
}

/**
 * Returns what the origin reported about a session's connections as events of its log: one for each, with the requests
 * it carried (Server-Timing `connection`) and its samples, on the session's clock (both clocks are the machine's). A
 * shared origin serves other sessions too: then only connections that requests of this log name are the session's.
 */
export function transportOfOrigin(
  log: SessionLog,
  reported: readonly OriginSample[],
  { isShared }: { isShared: boolean },
): Draft<TransportEvent>[] {
  const requests = requestsByConnection(log);
  const byConnection = new Map<number, OriginSample[]>();
  for (const sample of reported) {
    const same = byConnection.get(sample.connection);
    if (same) same.push(sample);
    else if (!isShared || requests.has(sample.connection)) byConnection.set(sample.connection, [sample]);
  }
  return [...byConnection]
    .flatMap(([id, own]) => eventOf(log, { id, reported: own, requestIds: requests.get(id) ?? [] }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** The pathway of the MPD's own server. */
const MAIN = 'main';

/** Numbers of the origin's connections that answered requests of the log, by what their Server-Timing says. */
export function requestsByConnection({ events }: Pick<SessionLog, 'events'>): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const event of events) {
    // Another pathway is another origin, whose connections have numbers of their own.
    if (event.kind !== 'request' || (event.pathway ?? MAIN) !== MAIN) continue;
    for (const connection of connectionsOf(event))
      found.set(connection, [...(found.get(connection) ?? []), event.id]);
  }
  return found;
}

/** Each connection that answered a request, or a range of it, once. */
function connectionsOf({ serverTiming, ranges }: RequestEvent): Set<number> {
  const answers = ranges ? ranges.map((range) => range.serverTiming) : [serverTiming];
  const said = answers.map(
    (metrics) => metrics?.find(({ name }) => name === 'connection')?.description ?? '',
  );
  return new Set(said.filter((text) => /^\d{1,15}$/.test(text)).map(Number));
}

interface Seen {
  readonly id: number;
  readonly reported: readonly OriginSample[];
  readonly requestIds: readonly string[];
}

/** None for a connection that was there only before or after the session. */
function eventOf(log: SessionLog, { id, reported, requestIds }: Seen): Draft<TransportEvent>[] {
  const zero = log.clock.startedAtUnixMs;
  const endMs = endOf(log);
  const during = reported.filter(({ atUnixMs }) => atUnixMs >= zero && atUnixMs - zero <= endMs);
  const [first] = during;
  if (!first) return [];
  const momentOf = (event: OriginSample['event']): number | null => {
    const found = during.find((sample) => sample.event === event);
    return found ? rounded(found.atUnixMs - zero, 1) : null;
  };
  const origin: OriginConnection = {
    protocol: first.protocol,
    controller: during.at(-1)?.controller ?? null,
    openedMs: momentOf('opened'),
    closedMs: momentOf('closed'),
    requestIds: [...requestIds],
    samples: changes(during.map((sample) => sampleOf(sample, zero))),
  };
  const atMs = rounded(first.atUnixMs - zero, 1);
  const missing = { requestId: 'not-applicable' as const };
  const about = { kind: 'transport', source: 'origin', requestId: null, races: [], missing } as const;
  return [{ ...about, races: [], atMs, connectionId: String(id), origin }];
}

/** Session time of the last thing recorded: a browser keeps connections open after it. */
const endOf = ({ parts, events }: SessionLog): number =>
  events.reduce((latest, { atMs }) => Math.max(latest, atMs), parts.at(-1)?.endMs ?? 0);

/** Digits beyond these are noise of the clocks; a log of many hours is shorter without. */
const sampleOf = (sample: OriginSample, zero: number): PathSample => ({
  atMs: rounded(sample.atUnixMs - zero, 1),
  rttMs: rounded(sample.rttMs, 3),
  minRttMs: rounded(sample.minRttMs, 3),
  rttVarMs: rounded(sample.rttVarMs, 3),
  cwndBytes: sample.cwndBytes,
  inFlightBytes: sample.inFlightBytes,
  lostPackets: sample.lostPackets,
  retransmittedPackets: sample.retransmittedPackets,
  sentPackets: sample.sentPackets,
  deliveryRateKbps: rounded(sample.deliveryRateKbps, 1),
  appLimited: sample.appLimited,
});

/** Without the samples in which nothing but the time differs from the one before; the last stays, as it says until when. */
function changes(samples: readonly PathSample[]): PathSample[] {
  const values = samples.map(({ atMs: _, ...state }) => JSON.stringify(state));
  return samples.filter(
    (_, index) => index === 0 || index === samples.length - 1 || values[index] !== values[index - 1],
  );
}

function rounded(value: number, digits: number): number;
function rounded(value: number | null, digits: number): number | null;
function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
