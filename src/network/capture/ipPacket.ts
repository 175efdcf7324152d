import type { CapturedPacket } from './captureReader.ts';

/** Facts from the headers of a packet. */
export interface IpPacket {
  /** Address as text, IPv6 as in RFC 5952. */
  readonly source: string;
  readonly destination: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'other';
  /** Ports of source and destination; null for other protocols, and for all fragments but the first. */
  readonly ports: readonly [source: number, destination: number] | null;
  /** What was captured from the transport's header on, in the memory of the capture; empty for fragments but the first. */
  readonly transport: DataView;
  /** Bytes of the packet from the transport's header on, also where less was captured. */
  readonly transportBytes: number;
  /** Size of the whole packet with its IP header, also where less was captured. */
  readonly ipBytes: number;
  /** Which interface saw it, as far as the capture says: the same text for the same one. */
  readonly seenOn: string;
  /**
   * Hash of what all copies of a packet have in common: its first bytes without those that routers change. null: too little was
   * captured to tell packets of a flow apart.
   */
  readonly copyHash: number | null;
}

const IPV4 = 0x0800;
const IPV6 = 0x86dd;

/** Where the IP packet of a link type begins; null: the frame carries something else. */
type LinkHeader = (frame: DataView) => number | null;

const fixed =
  (bytes: number): LinkHeader =>
  () =>
    bytes;

/** Makes the reader of a header of `bytes` bytes whose type of content stands at `typeAt`. */
const typed =
  (typeAt: number, bytes: number): LinkHeader =>
  (frame) =>
    frame.byteLength >= bytes && [IPV4, IPV6].includes(frame.getUint16(typeAt)) ? bytes : null;

const VLAN_TAGS = [0x8100, 0x88a8];

/** Reads an Ethernet header: two addresses, any number of VLAN tags, the type of the content. */
const ethernet: LinkHeader = (frame) => {
  for (let at = 12; at + 2 <= frame.byteLength; at += 4) {
    const type = frame.getUint16(at);
    if (!VLAN_TAGS.includes(type)) return type === IPV4 || type === IPV6 ? at + 2 : null;
  }
  return null;
};

/** Headers by the numbers of tcpdump.org/linktypes.html: BSD's loopback, Ethernet, raw IP, Linux's "any" device. */
const LINK_HEADERS: ReadonlyMap<number, LinkHeader> = new Map([
  [0, fixed(4)],
  [1, ethernet],
  [12, fixed(0)],
  [14, fixed(0)],
  [101, fixed(0)],
  [108, fixed(4)],
  [113, typed(14, 16)],
  [228, fixed(0)],
  [229, fixed(0)],
  [276, typed(0, 20)],
]);

/**
 * Which device saw a packet, where Linux captured on "any" of them. Version 2 of its header has the number of the interface;
 * version 1 only the direction and the address of the card that sent (tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html).
 */
const DEVICES: ReadonlyMap<number, (frame: DataView) => string> = new Map([
  [113, (frame) => `${frame.getUint16(0)}-${frame.getUint32(6)}-${frame.getUint32(10)}`],
  [276, (frame) => String(frame.getUint32(4))],
]);

/** Whether packets of a link type can be read. */
export const isKnownLinkType = (linkType: number): boolean => LINK_HEADERS.has(linkType);

/** The IP packet in a frame; null: the frame carries none, or too little of it was captured. */
export function ipPacketOf({
  bytes,
  linkType,
  lengthBytes,
  interfaceNumber,
}: CapturedPacket): IpPacket | null {
  const frame = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = LINK_HEADERS.get(linkType)?.(frame) ?? null;
  if (at === null || at >= frame.byteLength) return null;
  const packet = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
  const read = READERS[packet.getUint8(0) >> 4]?.(packet, lengthBytes - at) ?? null;
  return read && { ...read, seenOn: `${interfaceNumber} ${DEVICES.get(linkType)?.(frame) ?? ''}` };
}

type Headers = Omit<IpPacket, 'seenOn'>;

/** Readers of an IP packet, by its version of IP. */
const READERS: Readonly<Record<number, (packet: DataView, frameBytes: number) => Headers | null>> = {
  4: ipv4,
  6: ipv6,
};

/** `frameBytes`: what is left of the frame, for a length that the network card was to fill in. */
function ipv4(packet: DataView, frameBytes: number): Headers | null {
  const headerBytes = 4 * (packet.getUint8(0) & 0x0f);
  if (packet.byteLength < 20 || headerBytes < 20) return null;
  const isFirst = (packet.getUint16(6) & 0x1fff) === 0;
  const address = (at: number): string => [0, 1, 2, 3].map((place) => packet.getUint8(at + place)).join('.');
  const ipBytes = packet.getUint16(2) || frameBytes;
  return {
    source: address(12),
    destination: address(16),
    ipBytes,
    ...transportOf(packet, { protocol: packet.getUint8(9), at: headerBytes, isFirst, ipBytes }),
    copyHash: copyHashOf(packet, headerBytes, IPV4_CHANGED),
  };
}

/** Places of service class, hop count and checksum in an IPv4 header (RFC 791 §3.1). */
const IPV4_CHANGED = [1, 8, 10, 11];
/** Places of version, class, flow and hop limit in an IPv6 header (RFC 8200 §3). */
const IPV6_CHANGED = [0, 1, 2, 3, 7];
/** Bytes in which packets of a flow differ: TCP's header, or UDP's with 12 encrypted bytes of QUIC. */
const ENOUGH_BYTES = 20;
/** Bytes in which packets of a flow differ behind an IPv4 header that numbers its packets (RFC 6864 allows 0 for all). */
const ENOUGH_NUMBERED_BYTES = 8;
const HASHED_BYTES = 128;

/** FNV-1a, 32 bits. `at`: where the transport begins; `changed` are bytes before the addresses. */
function copyHashOf(packet: DataView, at: number, changed: readonly number[]): number | null {
  const isNumbered = changed === IPV4_CHANGED && packet.getUint16(4) !== 0;
  if (packet.byteLength < at + (isNumbered ? ENOUGH_NUMBERED_BYTES : ENOUGH_BYTES)) return null;
  let hash = 0x811c9dc5;
  for (let place = 0; place < packet.byteLength && place < HASHED_BYTES; place += 1)
    if (place > 11 || !changed.includes(place)) hash = Math.imul(hash ^ packet.getUint8(place), 0x01000193);
  return hash;
}

const HEADER_BYTES = 40;
const FRAGMENT = 44;
/** Hop-by-hop options, routing, fragment, destination options: headers between IP and the transport. */
const EXTENSIONS = [0, 43, FRAGMENT, 60];

function ipv6(packet: DataView, frameBytes: number): Headers | null {
  if (packet.byteLength < HEADER_BYTES) return null;
  let protocol = packet.getUint8(6);
  let at = HEADER_BYTES;
  let isFirst = true;
  while (EXTENSIONS.includes(protocol) && at + 8 <= packet.byteLength) {
    if (protocol === FRAGMENT) isFirst &&= (packet.getUint16(at + 2) & 0xfff8) === 0;
    const bytes = protocol === FRAGMENT ? 8 : 8 * (packet.getUint8(at + 1) + 1);
    protocol = packet.getUint8(at);
    at += bytes;
  }
  const payloadBytes = packet.getUint16(4);
  const ipBytes = payloadBytes > 0 ? HEADER_BYTES + payloadBytes : frameBytes;
  return {
    source: ipv6Address(packet, 8),
    destination: ipv6Address(packet, 24),
    ipBytes,
    ...transportOf(packet, { protocol, at, isFirst, ipBytes }),
    copyHash: copyHashOf(packet, at, IPV6_CHANGED),
  };
}

const PROTOCOLS: Readonly<Record<number, IpPacket['protocol']>> = {
  1: 'icmp',
  6: 'tcp',
  17: 'udp',
  58: 'icmp',
};

interface TransportPlace {
  readonly protocol: number;
  readonly at: number;
  readonly isFirst: boolean;
  readonly ipBytes: number;
}

function transportOf(
  packet: DataView,
  { protocol, at, isFirst, ipBytes }: TransportPlace,
): Pick<IpPacket, 'protocol' | 'ports' | 'transport' | 'transportBytes'> {
  const known = PROTOCOLS[protocol] ?? 'other';
  // A short frame of Ethernet is filled up behind the packet.
  const end = Math.min(packet.byteLength, ipBytes);
  const from = isFirst && at < end ? at : end;
  const transport = new DataView(packet.buffer, packet.byteOffset + from, end - from);
  const hasPorts = (known === 'tcp' || known === 'udp') && transport.byteLength >= 4;
  return {
    protocol: known,
    ports: hasPorts ? [transport.getUint16(0), transport.getUint16(2)] : null,
    transport,
    transportBytes: isFirst ? Math.max(0, ipBytes - at) : 0,
  };
}

/** Formats an IPv6 address; the longest run of zero groups, of two or more, is left out (RFC 5952). */
function ipv6Address(packet: DataView, at: number): string {
  const groups = Array.from({ length: 8 }, (_, group) => packet.getUint16(at + 2 * group));
  let [from, length] = [0, 1];
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (end < groups.length && groups[end] === 0) end += 1;
    if (end - start > length) [from, length] = [start, end - start];
  }
  const text = (some: readonly number[]): string => some.map((group) => group.toString(16)).join(':');
  return length < 2 ? text(groups) : `${text(groups.slice(0, from))}::${text(groups.slice(from + length))}`;
}
