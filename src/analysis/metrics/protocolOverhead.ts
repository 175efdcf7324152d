import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** What a protocol costs besides what it carries. Only the lab's link counts packets. */
export const protocolOverhead: Metric = {
  id: 'protocol-overhead',
  label: 'protocol overhead',
  meaning:
    '1 − bytes of the bodies of all requests / bytes of the packets that came to the client over the link, with Ethernet headers, handshakes and resent packets',
  unit: '%',
  better: 'lower',
  decimals: 2,
  paper: '2019 study of DASH over QUIC parameters §IV-A eq. 1 and Table I (TCP 4.35 %, QUIC 4.6 %)',
  unknown: 'the session was not over a link of the lab, or its packets were not counted',
  of(log) {
    const wireBytes = log.environment.linkRun?.receivedWireBytes;
    if (!wireBytes) return unmeasured('Nobody counted the bytes on the wire.');
    const bodyBytes = eventsOf(log, 'request').reduce(
      (sum, { encodedBodyBytes, receivedBytes }) => sum + (encodedBodyBytes ?? receivedBytes ?? 0),
      0,
    );
    if (bodyBytes === 0) return unmeasured('No request tells how many bytes it brought.');
    return bodyBytes <= wireBytes
      ? { value: 100 * (1 - bodyBytes / wireBytes) }
      : unmeasured('More bytes were received than came over the link.');
  },
};
