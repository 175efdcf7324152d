import type { IpPacket } from '../../src/network/capture/ipPacket.ts';
import { beginAttempt, countPacket, noteHello, type AttemptDraft, type Begin, type Side } from './attempt.ts';
import { createHelloPieces, type HelloPieces } from './clientHello.ts';

/** A connection over TCP. */
export interface TcpAttempt {
  readonly attempt: AttemptDraft;
  readonly client: Sent;
  readonly server: Sent;
  readonly pieces: HelloPieces;
  /** Null: the client has sent nothing that says so. */
  isTls: boolean | null;
  /** When the server first sent data. */
  repliedUnixMs: number | null;
}

/** What one end has sent, by places in its stream: SYN has place 0. */
interface Sent {
  /** Sequence number of place 0; null: nothing of it came. */
  first: number | null;
  end: number;
  /** Places that were not captured, yet; a packet that was lost comes again. */
  gaps: { readonly from: number; readonly to: number }[];
  /** The other end has everything before. */
  acknowledged: number;
}

interface Segment {
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly dataBytes: number;
  /** As far as it was captured. */
  readonly data: Buffer;
}

const FIN = 0x01;
const SYN = 0x02;
const RST = 0x04;
const ACK = 0x10;
const HEADER_BYTES = 20;

/** Reads a segment; null: too little of it was captured. */
export function segmentOf({ transport, transportBytes }: IpPacket): Segment | null {
  if (transport.byteLength < HEADER_BYTES) return null;
  const headerBytes = 4 * (transport.getUint8(12) >> 4);
  const from = Math.min(headerBytes, transport.byteLength);
  return {
    sequence: transport.getUint32(4),
    acknowledgement: transport.getUint32(8),
    flags: transport.getUint8(13),
    dataBytes: Math.max(0, transportBytes - headerBytes),
    data: Buffer.from(
      transport.buffer as ArrayBuffer,
      transport.byteOffset + from,
      transport.byteLength - from,
    ),
  };
}

/** Begins an attempt with SYN, or SYN-ACK where the SYN is not in the capture; null: with any other segment. */
export function beginTcp(packet: IpPacket, segment: Segment, { atUnixMs, limits }: Begin): TcpAttempt | null {
  if ((segment.flags & SYN) === 0) return null;
  const from = segment.flags & ACK ? 'server' : 'client';
  const attempt = beginAttempt('tcp', packet, { atUnixMs, from });
  if (from === 'client') attempt.startUnixMs = atUnixMs;
  const tcp: TcpAttempt = {
    attempt,
    client: nothingSent(),
    server: nothingSent(),
    pieces: createHelloPieces('records', limits),
    isTls: null,
    repliedUnixMs: null,
  };
  addToTcp(tcp, packet, { segment, atUnixMs, from });
  return tcp;
}

const nothingSent = (): Sent => ({ first: null, end: 0, gaps: [], acknowledged: 0 });

/** Adds a segment to its attempt; false: it begins another one on the same ports. */
export function addToTcp(
  tcp: TcpAttempt,
  packet: IpPacket,
  { segment, atUnixMs, from }: { readonly segment: Segment; readonly atUnixMs: number; readonly from: Side },
): boolean {
  const { flags, sequence, acknowledgement } = segment;
  const isFirst = (flags & (SYN | ACK)) === SYN;
  if (isFirst && tcp.client.first !== null && sequence !== tcp.client.first) return false;
  if (!countPacket(tcp.attempt, packet, { atUnixMs, from })) return true;
  const [sender, receiver] = from === 'client' ? [tcp.client, tcp.server] : [tcp.server, tcp.client];
  const at = noteSent(sender, segment);
  if ((flags & (ACK | RST)) === ACK && receiver.first !== null)
    receiver.acknowledged = Math.max(receiver.acknowledged, placeOf(receiver, acknowledgement));
  if (flags & (RST | FIN)) tcp.attempt.end ??= { atUnixMs, how: flags & RST ? 'reset' : 'fin', by: from };
  if (from === 'client') noteData(tcp, { data: segment.data, at, atUnixMs });
  else noteAnswer(tcp, segment, atUnixMs);
  return true;
}

function noteAnswer(tcp: TcpAttempt, { flags, dataBytes }: Segment, atUnixMs: number): void {
  if (flags & SYN) tcp.attempt.answeredUnixMs ??= atUnixMs;
  if (dataBytes > 0) tcp.repliedUnixMs ??= atUnixMs;
}

/** Numbers are of 32 bits and begin anew behind the last one. */
const placeOf = ({ first, end }: Sent, sequence: number): number => end + ((sequence - first! - end) | 0);

/** More gaps than these are not told apart: the first ones count. */
const MAX_GAPS = 64;

/** Notes which places a segment has; returns that of its data. */
function noteSent(sent: Sent, { sequence, flags, dataBytes }: Segment): number {
  const isSyn = (flags & SYN) !== 0;
  // Without its SYN: it was before this segment.
  sent.first ??= isSyn ? sequence : sequence - 1;
  const from = placeOf(sent, sequence);
  const to = from + dataBytes + (isSyn ? 1 : 0) + (flags & FIN ? 1 : 0);
  if (from > sent.end && sent.end > 0 && sent.gaps.length < MAX_GAPS)
    sent.gaps.push({ from: sent.end, to: from });
  else if (from < sent.end && sent.gaps.length > 0)
    sent.gaps = sent.gaps.flatMap((gap) => without(gap, from, to));
  sent.end = Math.max(sent.end, to);
  return from + (isSyn ? 1 : 0);
}

const without = (gap: Sent['gaps'][0], from: number, to: number): Sent['gaps'] =>
  [
    { from: gap.from, to: Math.min(gap.to, from) },
    { from: Math.max(gap.from, to), to: gap.to },
  ].filter((left) => left.from < left.to);

const TLS_RECORDS = { from: 20, to: 24 };
const HANDSHAKE_RECORD = 22;
const APPLICATION_DATA = 23;

/** Notes what a client sends. */
function noteData(
  tcp: TcpAttempt,
  { data, at, atUnixMs }: { readonly data: Buffer; readonly at: number; readonly atUnixMs: number },
): void {
  const { attempt, pieces } = tcp;
  if (data.length === 0) return;
  tcp.isTls ??= data[0] === HANDSHAKE_RECORD;
  // Without TLS, TCP's handshake is all.
  if (!tcp.isTls) attempt.readyUnixMs ??= attempt.answeredUnixMs;
  else if (!attempt.alpn) noteHello(attempt, pieces.add(at - 1, data));
  if (tcp.isTls && tcp.repliedUnixMs !== null && hasApplicationData(data)) attempt.readyUnixMs ??= atUnixMs;
}

/** The client's end of TLS 1.3's handshake looks like data; after an older one, it is the first request (RFC 8446 §5.1). */
function hasApplicationData(data: Buffer): boolean {
  for (let at = 0; at + 5 <= data.length; at += 5 + data.readUInt16BE(at + 3)) {
    const kind = data[at]!;
    if (kind === APPLICATION_DATA) return true;
    if (kind < TLS_RECORDS.from || kind > TLS_RECORDS.to) return false;
  }
  return false;
}

/** Returns the bytes that an end acknowledged and the capture does not have. */
export function uncapturedBytes({ client, server }: TcpAttempt): number {
  const missing = [client, server].map(({ gaps, end, acknowledged, first }) => {
    const inGaps = gaps.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, acknowledged) - from),
      0,
    );
    return first === null ? 0 : inGaps + Math.max(0, acknowledged - end);
  });
  return missing[0]! + missing[1]!;
}
