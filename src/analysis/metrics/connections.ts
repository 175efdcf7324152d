import { meanOf } from '../statistics/summaries.ts';
import { type Metric, unmeasured } from './metric.ts';
import { eventsOf } from '../timeline/log.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { protocolOf } from '../transport/protocol.ts';

/** How long a secure connection takes to stand. */
export const handshakeTime: Metric = {
  id: 'handshake-time',
  label: 'handshake time',
  meaning:
    'mean time to establish a connection (for TCP including TLS), 0 if 0-RTT succeeded; from the NetLog, or without one from connectStart → connectEnd of the requests that opened a connection',
  unit: 'ms',
  better: 'lower',
  sessions: 'both',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.2 and Fig. 7',
  unknown: 'no connection was opened, or its duration is unknown',
  of(log) {
    const setups = connectionSetups(log);
    const value = meanOf(setups.map(({ ms }) => ms));
    if (value === null) return unmeasured('The time to establish a connection is unknown.');
    const by: Record<string, number> = {};
    for (const transport of ['quic', 'tcp'] as const) {
      const mean = meanOf(setups.filter((each) => each.transport === transport).map(({ ms }) => ms));
      if (mean !== null) by[transport] = mean;
    }
    return { value, by };
  },
};

/** How many QUIC handshakes cost no round trip. */
export const zeroRttShare: Metric = {
  id: 'zero-rtt-share',
  label: '0-RTT share',
  meaning: 'share of QUIC connections with successful 0-RTT among those whose handshake completed',
  unit: '%',
  better: 'higher',
  sessions: 'both',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.2 (88 % of handshakes on desktops)',
  unknown: 'there is no NetLog, or it has no completed QUIC handshake',
  of(log) {
    const words = eventsOf(log, 'transport').flatMap(({ connection }) =>
      connection?.transport === 'quic' && connection.zeroRtt !== null ? [connection.zeroRtt] : [],
    );
    const succeeded = words.filter((word) => word === ZERO_RTT_SUCCEEDED).length;
    const all = succeeded + words.filter((word) => ZERO_RTT_DENIED.includes(word)).length;
    return all > 0
      ? { value: (100 * succeeded) / all }
      : unmeasured('No NetLog has a completed QUIC handshake.');
  },
};

interface ConnectionSetup {
  readonly transport: 'quic' | 'tcp';
  /** Until the handshake was confirmed; 0 where 0-RTT succeeded, since nothing waited for it (QUIC paper 2017, §6.2). */
  readonly ms: number;
}

/** The connections that came to stand: the NetLog's where there is one, else as Resource Timing saw them. */
function connectionSetups(log: SessionLog): ConnectionSetup[] {
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

/** Chromium's words for the end of a QUIC handshake (`QUIC_SESSION_ZERO_RTT_STATE`); others, as `sent`, leave it open. */
const ZERO_RTT_SUCCEEDED = 'AttemptedAndSucceeded';
const ZERO_RTT_DENIED: readonly string[] = ['AttemptedAndRejected', 'NotAttempted'];
