/** A packet as a capture has it. */
export interface CapturedPacket {
  /** When it was captured, in ms since 1970. */
  readonly atUnixMs: number;
  /** Type of the packet's first header: a number of the registry of link types (tcpdump.org/linktypes.html). */
  readonly linkType: number;
  /** Number of the interface in a pcapng file, which has packets of several interfaces; 0 in a pcap file. */
  readonly interfaceNumber: number;
  /** Bytes of the packet from its beginning, as far as it was captured. */
  readonly bytes: Uint8Array;
  /** Length of the whole packet. */
  readonly lengthBytes: number;
}

/** Reads a capture piece by piece, as it comes from a file. */
interface CaptureReader {
  /** Returns the packets that are whole by now. @throws CaptureFault */
  push(piece: Uint8Array): CapturedPacket[];
  /** @throws CaptureFault */
  end(): CaptureEnd;
}

interface CaptureEnd {
  /** Bytes at the end that are no whole packet, as where the file was cut off. */
  readonly leftBytes: number;
  /** Packets that the program which captured says it lost (pcapng); null: the file does not say. */
  readonly lostPackets: number | null;
}

/** What is wrong with a capture, and at which byte. */
export class CaptureFault extends Error {
  constructor(
    what: string,
    readonly atByte: number,
  ) {
    super(what);
  }
}

/**
 * Reads captures of tcpdump, Wireshark and others: pcap (draft-ietf-opsawg-pcap), with micro- or nanoseconds, and pcapng
 * (draft-ietf-opsawg-pcapng), both in either order of bytes.
 */
export function createCaptureReader(): CaptureReader {
  let rest = new Uint8Array(0);
  let readBytes = 0;
  let format: Format | null = null;
  return {
    push(piece) {
      rest = joined(rest, piece);
      const packets: CapturedPacket[] = [];
      let at = 0;
      format ??= rest.length >= MAGIC_BYTES ? formatOf(viewOf(rest)) : null;
      for (;;) {
        const view = viewOf(rest, at);
        const part = format?.next(view, readBytes + at) ?? null;
        if (part === null) break;
        if (part.packet) packets.push(part.packet);
        at += part.bytes;
      }
      readBytes += at;
      rest = rest.subarray(at);
      return packets;
    },
    end() {
      if (format === null)
        throw new CaptureFault('It is too short for a capture (pcap or pcapng).', readBytes + rest.length);
      return { leftBytes: rest.length, lostPackets: format.lostPackets() };
    },
  };
}

/** A block or record: its whole length, and the packet that it has. */
interface Part {
  readonly bytes: number;
  readonly packet: CapturedPacket | null;
}

/** Reads the next part of a format; null: it has not come whole. `atByte`: where in the file it begins. */
interface Format {
  next(view: DataView, atByte: number): Part | null;
  lostPackets(): number | null;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

const viewOf = (bytes: Uint8Array, at = 0): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);

/** Without a copy: what reads a packet needs it for a moment. */
const bytesOf = (view: DataView, at: number, length: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

const MAGIC_BYTES = 4;
const MICROSECONDS = 0xa1b2c3d4;
const NANOSECONDS = 0xa1b23c4d;
const SECTION = 0x0a0d0d0a;
const GZIP = 0x1f8b;

function formatOf(view: DataView): Format {
  for (const little of [true, false]) {
    const magic = view.getUint32(0, little);
    if (magic === MICROSECONDS) return pcap(little, 1e3);
    if (magic === NANOSECONDS) return pcap(little, 1e6);
  }
  if (view.getUint32(0) === SECTION) return pcapng();
  const isGzip = view.getUint16(0) === GZIP;
  throw new CaptureFault(
    isGzip
      ? 'It is compressed; unpack it first (gunzip).'
      : 'It is no capture in the formats pcap or pcapng.',
    0,
  );
}

/** Maximum size of a captured packet: no program captures more (MAXIMUM_SNAPLEN of libpcap). */
const MAX_PACKET_BYTES = 262_144;

function mustBePacket(lengthBytes: number, atByte: number): void {
  if (lengthBytes > MAX_PACKET_BYTES)
    throw new CaptureFault(`A packet has ${lengthBytes} bytes; the file is damaged.`, atByte);
}

/** Makes the format pcap: one header, then records. `perMs`: units of the fraction of a second per millisecond. */
function pcap(little: boolean, perMs: number): Format {
  const HEADER = 24;
  const RECORD = 16;
  /** The upper bits are about checksums at the end of frames. */
  const LINK_TYPE = 0xffff;
  let linkType: number | null = null;
  return {
    lostPackets: () => null,
    next(view, atByte) {
      if (linkType === null) {
        if (view.byteLength < HEADER) return null;
        linkType = view.getUint32(20, little) & LINK_TYPE;
        return { bytes: HEADER, packet: null };
      }
      if (view.byteLength < RECORD) return null;
      const captured = view.getUint32(8, little);
      mustBePacket(captured, atByte);
      if (view.byteLength < RECORD + captured) return null;
      const atUnixMs = view.getUint32(0, little) * 1000 + view.getUint32(4, little) / perMs;
      const lengthBytes = view.getUint32(12, little);
      return {
        bytes: RECORD + captured,
        packet: {
          atUnixMs,
          linkType,
          interfaceNumber: 0,
          bytes: bytesOf(view, RECORD, captured),
          lengthBytes,
        },
      };
    },
  };
}

/** An interface of a section of pcapng. */
interface Interface {
  readonly linkType: number;
  /** Units of the interface's timestamps per millisecond. */
  readonly perMs: number;
  readonly offsetMs: number;
}

const INTERFACE = 1;
const OLD_PACKET = 2;
const SIMPLE_PACKET = 3;
const STATISTICS = 5;
const PACKET = 6;
const BYTE_ORDER = 0x1a2b3c4d;

/** Makes the format pcapng: blocks, each with its length before and after its content. */
function pcapng(): Format {
  let little = true;
  let interfaces: Interface[] = [];
  let sections = 0;
  const lost = new Map<string, number>();
  return {
    lostPackets: () => (lost.size === 0 ? null : [...lost.values()].reduce((sum, count) => sum + count)),
    next(view, atByte) {
      if (view.byteLength < 12) return null;
      const isSection = view.getUint32(0) === SECTION;
      if (isSection) [little, interfaces, sections] = [isLittle(view, atByte), [], sections + 1];
      const bytes = view.getUint32(4, little);
      if (bytes < 12 || bytes % 4 !== 0 || bytes > MAX_BLOCK_BYTES)
        throw new CaptureFault(`A block has ${bytes} bytes; the file is damaged.`, atByte);
      if (view.byteLength < bytes) return null;
      const block = new DataView(view.buffer, view.byteOffset + 8, bytes - 12);
      const kind = isSection ? SECTION : view.getUint32(0, little);
      if (kind === INTERFACE) interfaces.push(interfaceOf(block, little, atByte));
      // The newest statistics of an interface count all that came before them.
      const count = kind === STATISTICS ? lostIn(block, little) : null;
      if (count !== null) lost.set(`${sections} ${block.getUint32(0, little)}`, count);
      return { bytes, packet: packetOf({ kind, block, little, atByte }, interfaces) };
    },
  };
}

function isLittle(view: DataView, atByte: number): boolean {
  for (const little of [true, false]) if (view.getUint32(8, little) === BYTE_ORDER) return little;
  throw new CaptureFault('A section does not state its order of bytes; the file is damaged.', atByte);
}

/** Maximum size of a block: larger than any packet with its options. */
const MAX_BLOCK_BYTES = 16 * 2 ** 20;

interface Block {
  readonly kind: number;
  readonly block: DataView;
  readonly little: boolean;
  readonly atByte: number;
}

/** Maximum time of a packet: the end of the year 9999. */
const MAX_UNIX_MS = 253_402_300_799_999;

/** Returns a block's packet; null where it has none. @throws CaptureFault for a packet without a time or an interface */
function packetOf(
  { kind, block, little, atByte }: Block,
  interfaces: readonly Interface[],
): CapturedPacket | null {
  if (kind === SIMPLE_PACKET)
    throw new CaptureFault('Its packets have no times (simple packet blocks); capture them anew.', atByte);
  if (kind !== PACKET && kind !== OLD_PACKET) return null;
  const HEADER = 20;
  if (block.byteLength < HEADER)
    throw new CaptureFault('A packet is too short; the file is damaged.', atByte);
  const number = kind === PACKET ? block.getUint32(0, little) : block.getUint16(0, little);
  const from = interfaces[number];
  if (!from)
    throw new CaptureFault(`A packet is of interface ${number}, which the file does not describe.`, atByte);
  const captured = block.getUint32(12, little);
  if (captured > block.byteLength - HEADER)
    throw new CaptureFault(`A packet has ${captured} bytes, more than its block.`, atByte);
  const time = block.getUint32(4, little) * 2 ** 32 + block.getUint32(8, little);
  const atUnixMs = time / from.perMs + from.offsetMs;
  if (!(atUnixMs >= 0 && atUnixMs <= MAX_UNIX_MS))
    throw new CaptureFault(
      `A packet has a time that is not between the years 1970 and 9999; the file is damaged, or the offset of interface ${number} (if_tsoffset) is wrong.`,
      atByte,
    );
  return {
    atUnixMs,
    linkType: from.linkType,
    interfaceNumber: number,
    bytes: bytesOf(block, HEADER, captured),
    lengthBytes: block.getUint32(16, little),
  };
}

const RESOLUTION = 9;
const OFFSET = 14;

function interfaceOf(block: DataView, little: boolean, atByte: number): Interface {
  if (block.byteLength < 8) throw new CaptureFault('An interface is too short; the file is damaged.', atByte);
  const options = optionsIn(block, 8, little);
  const resolution = options.get(RESOLUTION);
  const offset = options.get(OFFSET);
  return {
    linkType: block.getUint16(0, little),
    perMs: resolution?.byteLength === 1 ? perMsOf(resolution.getUint8(0)) : 1e3,
    offsetMs: offset?.byteLength === 8 ? Number(offset.getBigInt64(0, little)) * 1000 : 0,
  };
}

const LOST_BY_INTERFACE = 5;
const LOST_BY_SYSTEM = 7;

/** Returns how many packets an interface or its system lost, by its statistics; null: they do not say. */
function lostIn(block: DataView, little: boolean): number | null {
  if (block.byteLength < 12) return null;
  const options = optionsIn(block, 12, little);
  const counts = [LOST_BY_INTERFACE, LOST_BY_SYSTEM].flatMap((code) => {
    const count = options.get(code);
    return count?.byteLength === 8 ? [Number(count.getBigUint64(0, little))] : [];
  });
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
}

/** Returns the options of a block by their codes, from `at` on; of several of one code, the last. */
function optionsIn(block: DataView, at: number, little: boolean): Map<number, DataView> {
  const options = new Map<number, DataView>();
  while (at + 4 <= block.byteLength) {
    const [code, length] = [block.getUint16(at, little), block.getUint16(at + 2, little)];
    const value = at + 4;
    if (code === 0 || value + length > block.byteLength) break;
    options.set(code, new DataView(block.buffer, block.byteOffset + value, length));
    at = value + 4 * Math.ceil(length / 4);
  }
  return options;
}

/** The highest bit says whether the others are a power of 2 or of 10. */
const perMsOf = (resolution: number): number =>
  (resolution & 0x80 ? 2 ** (resolution & 0x7f) : 10 ** resolution) / 1000;
