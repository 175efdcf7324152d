import { formatCount } from '../../shared/format.ts';
import type { RequestEvent, TransportEvent } from '../event.ts';
import type { NetLogFacts, RaceOutcome } from '../netlog/netLogFacts.ts';
import type { SessionEvent, SessionLog } from '../schema/sessionLog.ts';

/** What the sources of a request's last race say of it, where they do not contradict each other. */
interface ConsistentTriple {
  /** DevTools' `Network.AlternateProtocolUsage` of the response. */
  readonly devTools: string;
  /** The NetLog's outcome of the request's last race, which is the one that brought the response. */
  readonly netLog: RaceOutcome;
  /** Outcome from packets. */
  readonly packets: RaceOutcome;
  /** `seen`: in Chromium 156 in our sessions. `defined`: by what DevTools says of its value; not met yet. */
  readonly known: 'seen' | 'defined';
  readonly because: string;
}

/**
 * The table of docs/browsers.md. DevTools has no value for most ways to end up on TCP: it says `unspecifiedReason`. Packets say
 * `unknown` where they do not show how h3 was known.
 */
export const CONSISTENT_TRIPLES: readonly ConsistentTriple[] = [
  triple('alternativeJobWonWithoutRace', ['alternative-reused'], 'seen', 'a QUIC session was there'),
  triple(
    'alternativeJobWonWithoutRace',
    ['alternative-won'],
    'seen',
    'QUIC began with 0-RTT: it had not to wait',
  ),
  triple('alternativeJobWonRace', ['alternative-won'], 'seen', 'QUIC connected before TCP'),
  triple('mainJobWonRace', ['main-won'], 'seen', 'TCP was ready while QUIC still tried'),
  triple(
    'unspecifiedReason',
    ['main-alone'],
    'seen',
    'no QUIC job ran beside it: http, nothing known, or a restart',
  ),
  triple('unspecifiedReason', ['main-broken'], 'seen', 'Alt-Svc is marked broken, so only TCP is tried'),
  triple('unspecifiedReason', ['main-after-quic-failed'], 'seen', 'QUIC had failed before TCP was ready'),
  triple('unspecifiedReason', ['quic-forced', 'unknown'], 'seen', 'h3-only: the main job itself uses QUIC'),
  triple('dnsAlpnH3JobWonWithoutRace', ['dns-alpn-reused'], 'seen', 'as above, QUIC known from DNS'),
  triple('dnsAlpnH3JobWonWithoutRace', ['dns-alpn-won'], 'seen', 'a preconnect had begun QUIC'),
  triple('dnsAlpnH3JobWonRace', ['dns-alpn-won'], 'seen', 'as above, QUIC known from DNS'),
  triple('mappingMissing', ['main-alone'], 'defined', 'no alternative was known when the request was made'),
  triple('broken', ['main-broken'], 'defined', 'Alt-Svc is marked broken'),
];

/** @param outcomes that of the NetLog, and that of packets where it is another */
function triple(
  devTools: string,
  [netLog, packets = netLog]: readonly [netLog: RaceOutcome, packets?: RaceOutcome],
  known: ConsistentTriple['known'],
  because: string,
): ConsistentTriple {
  return { devTools, netLog, packets, known, because };
}

/** Outcomes of a race that brings no answer. */
const LOST: readonly (string | undefined)[] = ['failed', 'cancelled', 'unfinished'] satisfies RaceOutcome[];

/** Why races of a NetLog have no outcome, in a sentence; none where all have one. */
export function unknownRaces({ requests, lacking }: Pick<NetLogFacts, 'requests' | 'lacking'>): string[] {
  const races = requests.flatMap((request) => request.races);
  const count = races.filter(({ outcome }) => outcome === 'unknown').length;
  if (count === 0) return [];
  const why =
    lacking.length > 0
      ? `the browser's table of events has no ${lacking.join(', ')}`
      : 'the browser logged nothing that brought their connections';
  return [`how ${formatCount(count, 'race')} ended is unknown: ${why}`];
}

/**
 * Lists requests of a session that were answered although the NetLog's last race brought nothing, and those whose
 * transport sources disagree: outcomes that are no triple of the table, or another connection. One sentence each.
 */
export function inconsistencies(log: SessionLog): string[] {
  const reported = log.events.filter((event) => event.kind === 'transport' && event.requestId !== null);
  const netLog = new Map<string, TransportEvent>();
  for (const event of reported as TransportEvent[])
    if (event.source === 'netlog') netLog.set(event.requestId!, event);
  const cancelled = new Set(log.events.filter(hasCancelledRange).map(({ id }) => id));
  const answered = log.events.filter(
    (event) => event.kind === 'request' && event.outcome === 'ok' && !cancelled.has(event.id),
  );
  const lost = answered.flatMap(({ id }) => {
    const outcome = netLog.get(id)?.races.at(-1)?.outcome;
    return LOST.includes(outcome)
      ? [`request ${id}: it was answered, but the NetLog's last race of it is ${outcome}`]
      : [];
  });
  const disagreements = (reported as TransportEvent[]).flatMap((event) => {
    const other = netLog.get(event.requestId!);
    return other && !cancelled.has(event.requestId!)
      ? faultsOf(event, other, { isHappyEyeballs: log.environment.happyEyeballs === true })
      : [];
  });
  return [...lost, ...disagreements];
}

/** The NetLog has a race of a range that was cancelled before its answer, and DevTools has no value. */
const hasCancelledRange = (event: SessionEvent): boolean =>
  event.kind === 'request' && (event.ranges?.some(({ status }) => status === null) ?? false);

function faultsOf(
  event: TransportEvent,
  netLog: TransportEvent,
  { isHappyEyeballs }: { readonly isHappyEyeballs: boolean },
): string[] {
  const value = event.races.at(-1)?.outcome;
  const outcome = netLog.races.at(-1)?.outcome;
  if (value === undefined || outcome === undefined) return [];
  const who = `request ${event.requestId}`;
  if (event.source === 'packets')
    return value === UNKNOWN || hasTriple(outcome, { packets: value })
      ? []
      : [`${who}: Packets say ${value}, the NetLog ${outcome}`];
  // Others count connections in their own way.
  if (event.source !== 'devtools') return [];
  // With HappyEyeballsV3 DevTools has one value for all that happens (seen in Chromium 156): it says nothing.
  const isSilent = isHappyEyeballs && value === 'unspecifiedReason';
  return [
    ...(isSilent ? [] : outcomeFaults(who, value, outcome)),
    ...(event.connectionId === netLog.connectionId
      ? []
      : [`${who}: DevTools names connection ${event.connectionId}, the NetLog ${netLog.connectionId}`]),
  ];
}

const outcomeFaults = (who: string, devTools: string, netLog: string): string[] =>
  hasTriple(netLog, { devTools }) ? [] : [`${who}: DevTools says ${devTools}, the NetLog ${netLog}`];

const UNKNOWN: string = 'unknown' satisfies RaceOutcome;

const hasTriple = (
  netLog: string,
  { devTools, packets }: { readonly devTools?: string; readonly packets?: string },
): boolean =>
  netLog === UNKNOWN ||
  CONSISTENT_TRIPLES.some(
    (each) => each.netLog === netLog && (each.packets === packets || each.devTools === devTools),
  );

/**
 * Lists requests of a session for which a transport source lacks a record, one sentence each. A request that got
 * response headers has the NetLog's races and, where DevTools was asked, its one value, or one for each of its ranges. A
 * request that failed has the NetLog's races, the last with its net error.
 */
export function sourceGaps(
  { events }: Pick<SessionLog, 'events'>,
  { devTools: isAsked }: { readonly devTools: boolean },
): string[] {
  const reported = new Map<string, TransportEvent>();
  for (const event of events)
    if (event.kind === 'transport' && event.requestId !== null)
      reported.set(`${event.source} ${event.requestId}`, event);
  return events
    .filter((event) => event.kind === 'request')
    .filter(mustHaveRaced)
    .flatMap((request) => {
      const netLog = reported.get(`netlog ${request.id}`);
      // Without a race where the NetLog has the request: the browser's cache answered.
      if (netLog?.races.length === 0 && request.outcome !== 'network-error') return [];
      const gaps = [
        ...netLogGaps(request, netLog),
        ...(isAsked ? devToolsGaps(request, reported.get(`devtools ${request.id}`)) : []),
      ];
      return gaps.map((gap) => `request ${request.id} (${request.outcome}): ${gap}`);
    });
}

/** One that was given up before it was answered may never have reached the network. */
const mustHaveRaced = ({ outcome, status }: RequestEvent): boolean =>
  outcome !== 'in-flight' && (outcome !== 'aborted' || status !== null);

function netLogGaps({ outcome, ranges }: RequestEvent, netLog: TransportEvent | undefined): string[] {
  if (!netLog || netLog.races.length === 0) return ['the NetLog has no race of it'];
  // One range failed, and the others were cancelled.
  if (ranges) return [];
  const netError = netLog.races.at(-1)?.netError ?? null;
  return outcome === 'network-error' && netError === null ? ['the NetLog has no error of it'] : [];
}

function devToolsGaps({ status, ranges }: RequestEvent, devTools: TransportEvent | undefined): string[] {
  const answers = ranges?.filter((range) => range.status !== null).length ?? 1;
  if (status === null || devTools?.races.length === answers) return [];
  return [answers === 1 ? 'DevTools has no value of it' : 'DevTools has not a value of each of its ranges'];
}
