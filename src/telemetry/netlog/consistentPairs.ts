import type { TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import type { RaceOutcome } from './netLogFacts.ts';

export interface ConsistentPair {
  /** DevTools' `Network.AlternateProtocolUsage` of the response. */
  readonly devTools: string;
  /** The NetLog's outcome of the request's last race, which is the one that brought the response. */
  readonly netLog: RaceOutcome;
  /** `seen`: in Chromium 156 in our sessions. `defined`: by what DevTools says of its value; not met yet. */
  readonly known: 'seen' | 'defined';
  readonly because: string;
}

/** The table of docs/race-truth.md. DevTools has no value for most ways to end up on TCP: it says `unspecifiedReason`. */
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
  pair('unspecifiedReason', 'main-after-quic-failed', 'defined', 'QUIC had failed before TCP was ready'),
  pair('unspecifiedReason', 'quic-forced', 'seen', 'h3-only: the main job itself uses QUIC'),
  pair('dnsAlpnH3JobWonWithoutRace', 'dns-alpn-reused', 'defined', 'as above, QUIC known from DNS'),
  pair('dnsAlpnH3JobWonRace', 'dns-alpn-won', 'defined', 'as above, QUIC known from DNS'),
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

/**
 * Lists requests of a session whose two transport sources disagree: a value outside the table, or another connection.
 * One sentence each.
 */
export function inconsistencies(log: SessionLog): string[] {
  const reported = log.events.filter((event) => event.kind === 'transport' && event.requestId !== null);
  const netLog = new Map<string, TransportEvent>();
  for (const event of reported as TransportEvent[])
    if (event.source === 'netlog') netLog.set(event.requestId!, event);
  return (reported as TransportEvent[]).flatMap((devTools) => {
    const other = netLog.get(devTools.requestId!);
    return devTools.source === 'devtools' && other ? faultsOf(devTools, other) : [];
  });
}

function faultsOf(devTools: TransportEvent, netLog: TransportEvent): string[] {
  const value = devTools.races.at(-1)?.outcome;
  const outcome = netLog.races.at(-1)?.outcome;
  if (value === undefined || outcome === undefined) return [];
  const fits = CONSISTENT_PAIRS.some((each) => each.devTools === value && each.netLog === outcome);
  const who = `request ${devTools.requestId}`;
  return [
    ...(fits ? [] : [`${who}: DevTools says ${value}, the NetLog ${outcome}`]),
    ...(devTools.connectionId === netLog.connectionId
      ? []
      : [`${who}: DevTools names connection ${devTools.connectionId}, the NetLog ${netLog.connectionId}`]),
  ];
}
