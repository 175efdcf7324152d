import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** T / (T + Q): the share of media bytes that TCP carried, of those whose protocol is known. */
export const tcpShare: Metric = {
  id: 'tcp-share',
  label: 'TCP share',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024',
  of(log) {
    let tcpBytes = 0;
    let quicBytes = 0;
    for (const { type, protocol, receivedBytes } of eventsOf(log, 'request')) {
      if (type !== 'media' || protocol === null) continue;
      if (protocol === 'h3') quicBytes += receivedBytes ?? 0;
      else tcpBytes += receivedBytes ?? 0;
    }
    const knownBytes = tcpBytes + quicBytes;
    return knownBytes > 0
      ? { value: (100 * tcpBytes) / knownBytes }
      : { value: null, why: 'No media request says which protocol carried it.' };
  },
};
