import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from './eventsOf.ts';
import { protocolOf } from './protocol.ts';
import { ZERO_RTT_SUCCEEDED } from './zeroRttWords.ts';

export interface ConnectionSetup {
  readonly transport: 'quic' | 'tcp';
  /** Until the handshake was confirmed; 0 where 0-RTT succeeded, since nothing waited for it (QUIC paper 2017, §6.2). */
  readonly ms: number;
}

/** The connections that came to stand: the NetLog's where there is one, else as Resource Timing saw them. */
export function connectionSetups(log: SessionLog): ConnectionSetup[] {
  const reported = eventsOf(log, 'transport').filter(({ source }) => source === 'netlog');
  return reported.length > 0
    ? reported.flatMap(({ connection }) => {
        const ms = connection?.zeroRtt === ZERO_RTT_SUCCEEDED ? 0 : (connection?.handshakeMs ?? null);
        return connection && ms !== null ? [{ transport: connection.transport, ms }] : [];
      })
    : fromTimings(log);
}

function fromTimings(log: SessionLog): ConnectionSetup[] {
  return eventsOf(log, 'request').flatMap((request) => {
    const { connectionReused, connectStartMs, connectEndMs } = request;
    const protocol = protocolOf(request.protocol);
    if (connectionReused !== false || connectStartMs === null || connectEndMs === null) return [];
    if (protocol === 'unknown') return [];
    return [{ transport: protocol === 'h3' ? 'quic' : 'tcp', ms: connectEndMs - connectStartMs }];
  });
}
