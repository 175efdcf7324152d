import { type Metric, unmeasured } from './metric.ts';
import { tcpShareOf, protocolOf, PROTOCOL_NAMES, type Protocol } from '../transport/protocol.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { discoveredMs } from '../transport/races.ts';
import { eventsOf } from '../timeline/log.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** T / (T + Q): the share of media bytes that TCP carried, of those whose protocol is known. */
export const tcpShare: Metric = {
  id: 'tcp-share',
  label: 'TCP share',
  meaning:
    'T / (T + Q) of the media bytes whose protocol is known, including discovery (T: over TCP, Q: over QUIC)',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III (RQvs.T)',
  unknown: 'the protocol of every media request is unknown',
  headline: 7,
  of(log) {
    const share = tcpShareOf(mediaBytesByProtocol(log));
    return share === null
      ? unmeasured('The protocol of every media request is unknown.')
      : { value: 100 * share };
  },
};

/** What of the TCP share is not merely that the browser knew of no h3 yet. */
export const tcpShareLater: Metric = {
  id: 'tcp-share-later',
  label: 'TCP share after discovery',
  meaning: 'T / (T + Q) without the requests over TCP that started before the first response over h3 arrived',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III; taking discovery out is ours',
  unknown: 'there was no response over h3, or no media is left',
  of(log) {
    const foundMs = discoveredMs(log);
    if (foundMs === null) return unmeasured('There was no response over h3.');
    const isLater = ({ protocol, startMs, atMs }: RequestEvent): boolean =>
      protocolOf(protocol) === 'h3' || (startMs ?? atMs) >= foundMs;
    const share = tcpShareOf(mediaBytesByProtocol(log, isLater));
    return share === null
      ? unmeasured('No media of a known protocol arrived after discovery.')
      : { value: 100 * share };
  },
};

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

/** Requests of the session, all kinds, by the protocol that carried them. */
export const requestsByProtocol: Metric = {
  id: 'requests',
  label: 'requests',
  meaning:
    'number of requests of all kinds, with retries, by the protocol that carried the response; requests that the player aborted, that failed without a response, or that were open when the log ended are counted separately',
  unit: '',
  better: null,
  paper: 'Resource Timing Level 2, nextHopProtocol',
  sessions: 'both',
  unknown: 'the player sent no request',
  headline: 6,
  parts: 'counts',
  of(log) {
    const requests = eventsOf(log, 'request');
    if (requests.length === 0) return unmeasured('The player sent no request.');
    const by: Record<string, number> = {};
    for (const request of requests) {
      const name = nameOf(request);
      by[name] = (by[name] ?? 0) + 1;
    }
    return { value: requests.length, by };
  },
};

/** What the player took back has failed as little as it was carried. */
function nameOf({ protocol, outcome }: RequestEvent): string {
  if (outcome === 'aborted' || outcome === 'in-flight') return outcome;
  return protocol ?? (outcome === 'ok' || outcome === null ? 'unknown' : 'failed');
}

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
  unknown:
    'the session did not use a link of the lab, something beside the viewer used it too, or its packets were not counted',
  of(log) {
    const wireBytes = log.environment.linkRun?.receivedWireBytes;
    if (!wireBytes) return unmeasured('The bytes on the wire were not counted.');
    if (hasOthers(log.environment))
      return unmeasured('The bytes on the wire are those of the viewer and of what ran beside it together.');
    const requests = eventsOf(log, 'request').filter((request) => bodyBytesOf(request) > 0);
    const bodyBytes = requests.reduce((sum, request) => sum + bodyBytesOf(request), 0);
    if (bodyBytes === 0) return unmeasured('No request has a known number of bytes.');
    if (bodyBytes > wireBytes) return unmeasured('More bytes were received than arrived over the link.');
    const value = 100 * (1 - bodyBytes / wireBytes);
    const carrier = onlyCarrier(requests);
    return carrier === null ? { value } : { value, by: { [carrier]: value } };
  },
};

const hasOthers = ({ beside }: SessionLog['environment']): boolean =>
  beside !== undefined && beside.flows.length + (beside.players?.length ?? 0) > 0;

const bodyBytesOf = (request: RequestEvent): number => carriedBytes(request) ?? 0;

/** What carried every body; null where both did (their packets are counted together) and where one is not known. */
function onlyCarrier(requests: readonly RequestEvent[]): 'tcp' | 'quic' | null {
  const carriers = new Set(requests.map(({ protocol }) => CARRIERS[protocolOf(protocol)]));
  const [carrier] = carriers;
  return carriers.size === 1 && carrier ? carrier : null;
}

const CARRIERS: Readonly<Record<Protocol, 'tcp' | 'quic' | null>> = {
  h1: 'tcp',
  h2: 'tcp',
  h3: 'quic',
  unknown: null,
};

/** Body bytes of media by protocol, also what failed requests had delivered; of the requests that `counts` names. */
function mediaBytesByProtocol(
  log: SessionLog,
  counts: (request: RequestEvent) => boolean = () => true,
): Record<Protocol, number> {
  const bytes = { h1: 0, h2: 0, h3: 0, unknown: 0 };
  for (const request of eventsOf(log, 'request'))
    if (request.type === 'media' && counts(request))
      bytes[protocolOf(request.protocol)] += bodyBytesOf(request);
  return bytes;
}
