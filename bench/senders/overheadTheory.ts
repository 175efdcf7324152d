/**
 * What of a full packet is not of the object: eq. 1 of the 2019 study of DASH over QUIC parameters, 1 − payload / bytes on
 * the wire with Ethernet's header. Byte counts of headers, no handshakes, no loss, no acknowledgements.
 */
export interface PacketShape {
  /** On the wire: Ethernet 14, IPv4 20, and what follows. */
  readonly wireBytes: number;
  readonly headerBytes: number;
}

export const overheadOf = ({ wireBytes, headerBytes }: PacketShape): number => headerBytes / wireBytes;

const ETHERNET_IP_BYTES = 14 + 20;

/** Table I of the paper. */
export const paperTcp: PacketShape = { wireBytes: 1514, headerBytes: ETHERNET_IP_BYTES + 32 };
export const paperQuic: PacketShape = { wireBytes: 1392, headerBytes: ETHERNET_IP_BYTES + 8 + 22 };

/** A TLS 1.3 record holds 2^14 bytes and adds 5 of header, 1 of type, 16 of tag (RFC 8446 §5.2); an h2 frame adds 9 (RFC 9113 §4.1). */
const TLS_RECORD_BYTES = 2 ** 14;
const TLS_EXTRA_BYTES = 5 + 1 + 16;
const H2_FRAME_BYTES = 2 ** 14;
const H2_EXTRA_BYTES = 9;

/** TCP with time stamps, of Ethernet's 1500 bytes, with the share of TLS and h2 that falls on each. */
export function h2Packet(): PacketShape {
  const streamBytes = 1500 - 20 - 32;
  const inRecords = streamBytes * (TLS_RECORD_BYTES / (TLS_RECORD_BYTES + TLS_EXTRA_BYTES));
  const inFrames = inRecords * (H2_FRAME_BYTES / (H2_FRAME_BYTES + H2_EXTRA_BYTES));
  return { wireBytes: 1514, headerBytes: 1514 - inFrames };
}

/**
 * QUIC with datagrams of so many bytes: 1 of flags, the client's connection id, 2 of packet number, 16 of tag (RFC 9001 §5.3),
 * and 8 of a STREAM frame's type, id, offset and length (RFC 9000 §19.8, offsets up to 2^30).
 */
export function h3Packet({ datagramBytes = 1452, connectionIdBytes = 8 } = {}): PacketShape {
  const headerBytes = ETHERNET_IP_BYTES + 8 + 1 + connectionIdBytes + 2 + 16 + 8;
  return { wireBytes: ETHERNET_IP_BYTES + 8 + datagramBytes, headerBytes };
}
