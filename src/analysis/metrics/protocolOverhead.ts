import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';
import type { RequestEvent } from '../../telemetry/event.ts';

/** What a protocol costs besides what it carries. Only the lab's link counts packets. */
export const protocolOverhead: Metric = {
  id: 'protocol-overhead',
  label: 'protocol overhead',
  meaning:
    '1 − bytes of the bodies of all requests / bytes of the packets that reached the client over the link, including Ethernet headers, handshakes and retransmitted packets; attributed to TCP or QUIC if one of them carried every body',
  unit: '%',
  better: 'lower',
  decimals: 2,
  parts: 'protocols',
  paper: '2019 study of DASH over QUIC parameters §IV-A eq. 1 and Table I (TCP 4.35 %, QUIC 4.6 %)',
  unknown: 'the session did not use a link of the lab, or its packets were not counted',
  of(log) {
    const wireBytes = log.environment.linkRun?.receivedWireBytes;
    if (!wireBytes) return unmeasured('The bytes on the wire were not counted.');
    const requests = eventsOf(log, 'request').filter((request) => bodyBytesOf(request) > 0);
    const bodyBytes = requests.reduce((sum, request) => sum + bodyBytesOf(request), 0);
    if (bodyBytes === 0) return unmeasured('No request has a known number of bytes.');
    if (bodyBytes > wireBytes) return unmeasured('More bytes were received than arrived over the link.');
    const value = 100 * (1 - bodyBytes / wireBytes);
    const carrier = onlyCarrier(requests);
    return carrier === null ? { value } : { value, by: { [carrier]: value } };
  },
};

const bodyBytesOf = ({ encodedBodyBytes, receivedBytes }: RequestEvent): number =>
  encodedBodyBytes ?? receivedBytes ?? 0;

/** What carried every body; null where both did (their packets are counted together) and where one is not known. */
function onlyCarrier(requests: readonly RequestEvent[]): 'tcp' | 'quic' | null {
  const carriers = new Set(requests.map(({ protocol }) => protocol && (protocol === 'h3' ? 'quic' : 'tcp')));
  const [carrier] = carriers;
  return carriers.size === 1 && carrier ? carrier : null;
}
