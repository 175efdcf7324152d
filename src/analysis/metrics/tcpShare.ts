import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { protocolOf, tcpShareOf } from '../protocol.ts';

/** T / (T + Q): the share of media bytes that TCP carried, of those whose protocol is known. */
export const tcpShare: Metric = {
  id: 'tcp-share',
  label: 'TCP share',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024',
  of(log) {
    const bytes = { h1: 0, h2: 0, h3: 0, unknown: 0 };
    for (const { type, protocol, receivedBytes } of eventsOf(log, 'request'))
      if (type === 'media') bytes[protocolOf(protocol)] += receivedBytes ?? 0;
    const share = tcpShareOf(bytes);
    return share === null
      ? { value: null, why: 'No media request says which protocol carried it.' }
      : { value: 100 * share };
  },
};
