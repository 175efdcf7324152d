import { mediaBytesByProtocol } from '../mediaBytesByProtocol.ts';
import type { Metric } from '../metric.ts';
import { PROTOCOL_NAMES, tcpShareOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** The other side of the TCP share, and the share of each protocol. */
export const quicShare: Metric = {
  id: 'quic-share',
  label: 'QUIC share',
  meaning: 'share of h3 in the media bytes whose protocol is known; with the share of each protocol',
  unit: '%',
  better: null,
  parts: 'protocols',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.1 (clients that really got QUIC)',
  unknown: 'the protocol of every media request is unknown',
  of(log) {
    const { h1, h2, h3, unknown } = mediaBytesByProtocol(log);
    const tcp = tcpShareOf({ h1, h2, h3, unknown });
    if (tcp === null) return unmeasured('The protocol of every media request is unknown.');
    const percent = (bytes: number): number => (100 * bytes) / (h1 + h2 + h3);
    const by: Record<string, number> = {};
    for (const [name, bytes] of Object.entries({ h1, h2, h3 }))
      if (bytes > 0) by[PROTOCOL_NAMES[name as 'h1']] = percent(bytes);
    return { value: percent(h3), by };
  },
};
