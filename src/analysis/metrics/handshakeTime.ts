import { connectionSetups } from '../connectionSetups.ts';
import { meanOf } from '../meanOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** How long a secure connection takes to stand. */
export const handshakeTime: Metric = {
  id: 'handshake-time',
  label: 'handshake time',
  meaning:
    'mean time to establish a connection (for TCP including TLS), 0 if 0-RTT succeeded; from the NetLog, or without one from connectStart → connectEnd of the requests that opened a connection',
  unit: 'ms',
  better: 'lower',
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
