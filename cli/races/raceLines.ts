import { textTable } from '../../node/textTable.ts';
import { raceTally } from '../../src/analysis/transport/races.ts';
import type { TransportEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Formats what a session's NetLog reported, for people: races by outcome, connections, broken periods. */
export function raceLines(log: SessionLog): string[] {
  const reported = log.events.filter((event) => event.kind === 'transport' && event.source === 'netlog');
  const transports = reported as readonly TransportEvent[];
  const races = raceTally(log).map(({ outcome, discovery, later }) => [
    outcome,
    '',
    `${discovery}`,
    `${later}`,
  ]);
  const connections = transports.flatMap((event) => (event.connection ? [connectionRow(event)] : []));
  const periods = transports
    .flatMap((event) => (event.requestId === null ? event.races : []))
    .map(({ startMs, endMs, cause }) => {
      const until = endMs === null ? 'the end of the NetLog' : `${seconds(endMs)} s`;
      return `Alt-Svc broken from ${seconds(startMs)} s to ${until}: ${cause ?? 'cause unknown'}`;
    });
  return [
    textTable([['races', '', 'discovery', 'later'], ...races]),
    '',
    textTable([
      ['connection', 'transport', 'handshake', '0-RTT', 'sent', 'received', 'lost', 'closed'],
      ...connections,
    ]),
    ...(periods.length > 0 ? ['', ...periods] : []),
  ];
}

function connectionRow({ connectionId, connection }: TransportEvent): string[] {
  const { transport, handshakeMs, zeroRtt, packetsSent, packetsReceived, packetsLost, close } = connection!;
  return [
    connectionId ?? 'unknown',
    transport,
    handshakeMs === null ? 'never' : `${Math.round(handshakeMs)} ms`,
    zeroRtt ?? '',
    ...[packetsSent, packetsReceived, packetsLost].map((count) => (count === null ? '' : String(count))),
    // Chromium's name of the error; its details stand in the session's log.
    close?.split(':')[0] ?? '',
  ];
}

const seconds = (ms: number | null): string => (ms === null ? 'unknown' : (ms / 1000).toFixed(1));
