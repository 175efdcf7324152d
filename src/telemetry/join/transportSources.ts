import { formatCount } from '../../shared/format.ts';
import type { RequestEvent, TransportEvent } from '../event.ts';
import type { NetLogFacts, RaceOutcome } from '../netlog/netLogFacts.ts';
import type { SessionEvent, SessionLog } from '../schema/sessionLog.ts';

interface ConsistentPair {
  /** DevTools' `Network.AlternateProtocolUsage` of the response. */
  readonly devTools: string;
  /** The NetLog's outcome of the request's last race, which is the one that brought the response. */
  readonly netLog: RaceOutcome;
  /** `seen`: in Chromium 156 in our sessions. `defined`: by what DevTools says of its value; not met yet. */
  readonly known: 'seen' | 'defined';
  readonly because: string;
}

/** The table of docs/browsers.md. DevTools has no value for most ways to end up on TCP: it says `unspecifiedReason`. */
export const CONSISTENT_PAIRS: readonly ConsistentPair[] = [
  pair('alternativeJobWonWithoutRace', 'alternative-reused', 'seen', 'a QUIC session was there'),
  pair(
    'alternativeJobWonWithoutRace',
    'alternative-won',
    'seen',
    'QUIC began with 0-RTT: it had not to wait',
  ),
  pair('alternativeJobWonRace', 'alternative-won', 'seen', 'QUIC connected before TCP'),
  pair('mainJobWonRace', 'main-won', 'seen', 'TCP was ready while QUIC still tried'),
  pair(
    'unspecifiedReason',
    'main-alone',
    'seen',
    'no QUIC job ran beside it: http, nothing known, or a restart',
  ),
  pair('unspecifiedReason', 'main-broken', 'seen', 'Alt-Svc is marked broken, so only TCP is tried'),
  pair('unspecifiedReason', 'main-after-quic-failed', 'seen', 'QUIC had failed before TCP was ready'),
  pair('unspecifiedReason', 'quic-forced', 'seen', 'h3-only: the main job itself uses QUIC'),
  pair('dnsAlpnH3JobWonWithoutRace', 'dns-alpn-reused', 'seen', 'as above, QUIC known from DNS'),
  pair('dnsAlpnH3JobWonWithoutRace', 'dns-alpn-won', 'seen', 'a preconnect had begun QUIC'),
  pair('dnsAlpnH3JobWonRace', 'dns-alpn-won', 'seen', 'as above, QUIC known from DNS'),
  pair('mappingMissing', 'main-alone', 'defined', 'no alternative was known when the request was made'),
  pair('broken', 'main-broken', 'defined', 'Alt-Svc is marked broken'),
];

function pair(
  devTools: string,
  netLog: RaceOutcome,
  known: ConsistentPair['known'],
  because: string,
): ConsistentPair {
  return { devTools, netLog, known, because };
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
 * Lists requests of a session that were answered although the NetLog's last race brought nothing, and those whose two transport
 * sources disagree: a value outside the table, or another connection. One sentence each.
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
  const disagreements = (reported as TransportEvent[]).flatMap((devTools) => {
    const other = netLog.get(devTools.requestId!);
    return devTools.source === 'devtools' && other && !cancelled.has(devTools.requestId!)
      ? faultsOf(devTools, other, { isHappyEyeballs: log.environment.happyEyeballs === true })
      : [];
  });
  return [...lost, ...disagreements];
}

/** The NetLog has a race of a range that was cancelled before its answer, and DevTools has no value. */
const hasCancelledRange = (event: SessionEvent): boolean =>
  event.kind === 'request' && (event.ranges?.some(({ status }) => status === null) ?? false);

function faultsOf(
  devTools: TransportEvent,
  netLog: TransportEvent,
  { isHappyEyeballs }: { readonly isHappyEyeballs: boolean },
): string[] {
  const value = devTools.races.at(-1)?.outcome;
  const outcome = netLog.races.at(-1)?.outcome;
  if (value === undefined || outcome === undefined) return [];
  // With HappyEyeballsV3 DevTools has one value for all that happens (seen in Chromium 156): it says nothing.
  const fits =
    (isHappyEyeballs && value === 'unspecifiedReason') ||
    outcome === ('unknown' satisfies RaceOutcome) ||
    CONSISTENT_PAIRS.some((each) => each.devTools === value && each.netLog === outcome);
  const who = `request ${devTools.requestId}`;
  return [
    ...(fits ? [] : [`${who}: DevTools says ${value}, the NetLog ${outcome}`]),
    ...(devTools.connectionId === netLog.connectionId
      ? []
      : [`${who}: DevTools names connection ${devTools.connectionId}, the NetLog ${netLog.connectionId}`]),
  ];
}

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
