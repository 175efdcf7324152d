import type { Draft, TransportEvent } from '../event.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { matchRequests, type Candidate } from './matchRequests.ts';

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

/** What DevTools said about the requests of a session, as events of its log. One value each: DevTools knows no list. */
export function transportOfDevTools(
  log: SessionLog,
  responses: readonly DevToolsResponse[],
): Draft<TransportEvent>[] {
  const matched = [...matchRequests(log, responses)];
  return matched
    .map(([requestId, { alternateProtocolUsage: outcome, connectionId, startUnixMs }]) => {
      const atMs = Math.max(0, startUnixMs - log.clock.startedAtUnixMs);
      const race = outcome === null ? [] : [{ outcome, mainDelayMs: null, startMs: atMs, endMs: null }];
      return {
        kind: 'transport' as const,
        atMs,
        requestId,
        source: 'devtools' as const,
        races: race,
        connectionId,
        missing: connectionId === null ? { connectionId: 'failed' as const } : {},
      };
    })
    .sort((a, b) => a.atMs - b.atMs);
}
