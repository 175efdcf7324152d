import type { PlayerModelSettings } from './playerModelSettings.ts';

/** Bytes of IP packets of 1500 that are not TCP payload: IPv4 20 (RFC 791), TCP 20 and its time stamps 12 (RFC 7323 §3). */
const TCP_IP_BYTES = 52;
const TCP_PAYLOAD_BYTES = 1500 - TCP_IP_BYTES;
/** Largest plain text of a TLS record (RFC 8446 §5.1), also largest h2 frame that a browser asks for (RFC 9113 §6.5.2). */
const RECORD_BYTES = 16_384;
/** Header 5, content type 1, tag 16 (RFC 8446 §5.2). */
const TLS_BYTES = 22;
/** RFC 9113 §4.1. */
const FRAME_BYTES = 9;
/**
 * A QUIC packet of the lab's origin: 1452 bytes of UDP after path MTU discovery (quic-go, protocol/params.go), IPv4 and UDP 28,
 * short header 3, tag 16 (RFC 9001 §5.3), stream frame 8 (RFC 9000 §19.8).
 */
const QUIC = { ipBytes: 1452 + 28, payloadBytes: 1452 - 3 - 16 - 8 };

/**
 * Share of IP bytes that are bodies. Go's servers hand each TLS record to the kernel by itself and without Nagle's algorithm
 * (net, TCPConn.SetNoDelay), so that it ends in a packet that is not full. An h2 frame of 16 KiB does not fit into one record.
 * Counted on the client's interface: 0.960 over h2 and h3.
 */
export function payloadOf({ payload, protocol }: Pick<PlayerModelSettings, 'payload' | 'protocol'>): number {
  if (payload !== null) return payload;
  if (protocol === 'h3') return QUIC.payloadBytes / QUIC.ipBytes;
  const aroundBytes = protocol === 'h2' ? FRAME_BYTES + 2 * TLS_BYTES : TLS_BYTES;
  const tcpBytes = RECORD_BYTES + aroundBytes;
  return RECORD_BYTES / (tcpBytes + TCP_IP_BYTES * Math.ceil(tcpBytes / TCP_PAYLOAD_BYTES));
}
