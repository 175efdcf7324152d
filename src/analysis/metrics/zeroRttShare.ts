import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';
import { ZERO_RTT_DENIED, ZERO_RTT_SUCCEEDED } from '../zeroRttWords.ts';

/** How many QUIC handshakes cost no round trip. */
export const zeroRttShare: Metric = {
  id: 'zero-rtt-share',
  label: '0-RTT share',
  meaning: 'share of QUIC connections with successful 0-RTT among those whose handshake completed',
  unit: '%',
  better: 'higher',
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
