import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** What a version of QUIC does in its own way: RFC 9001 §5.2, RFC 9369 §3. */
interface Version {
  readonly id: 'v1' | 'v2';
  readonly salt: Buffer;
  readonly label: string;
  /** Kinds of packets by the two bits of their type. */
  readonly kinds: readonly LongKind[];
}

type LongKind = 'initial' | 'zero-rtt' | 'handshake' | 'retry';

const V1: Version = {
  id: 'v1',
  salt: Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex'),
  label: 'quic',
  kinds: ['initial', 'zero-rtt', 'handshake', 'retry'],
};
const V2: Version = {
  id: 'v2',
  salt: Buffer.from('0dede3def700a6db819381be6e269dcbf9bd2ed9', 'hex'),
  label: 'quicv2',
  kinds: ['retry', 'initial', 'zero-rtt', 'handshake'],
};
const VERSIONS: ReadonlyMap<number, Version> = new Map([
  [0x00000001, V1],
  [0x6b3343cf, V2],
]);

/** A packet of QUIC, of which a datagram may have several. */
export interface QuicPacket {
  /** `short`: one of a connection whose handshake is over. */
  readonly kind: LongKind | 'short';
  /** Null for `short`, whose header does not have them. */
  readonly version: Version | null;
  readonly destination: Buffer | null;
  /** From its first byte to its last. */
  readonly bytes: Buffer;
  /** Where the packet number of an Initial is. */
  readonly numberAt: number;
}

/** Returns the packets in a datagram as far as they are of a version that is known here, and were captured. */
export function quicPacketsIn(datagram: Buffer): QuicPacket[] {
  const packets: QuicPacket[] = [];
  for (let rest = datagram; rest.length > 0;) {
    const packet = firstPacket(rest);
    if (!packet) break;
    packets.push(packet);
    rest = rest.subarray(packet.bytes.length);
  }
  return packets;
}

/** Whether a datagram begins as a packet of a handshake does, in a version that is known here. */
export const isLongHeader = (datagram: Buffer): boolean =>
  datagram.length >= 5 && (datagram[0]! & LONG) !== 0 && VERSIONS.has(datagram.readUInt32BE(1));

const LONG = 0x80;
const FIXED = 0x40;
const MAX_ID_BYTES = 20;
const MIN_LONG_BYTES = 7;

function firstPacket(bytes: Buffer): QuicPacket | null {
  const first = bytes[0]!;
  if ((first & LONG) === 0)
    return (first & FIXED) === 0
      ? null
      : { kind: 'short', version: null, destination: null, bytes, numberAt: 0 };
  const version = bytes.length < MIN_LONG_BYTES ? null : VERSIONS.get(bytes.readUInt32BE(1));
  return version ? longPacket(bytes, version) : null;
}

function longPacket(bytes: Buffer, version: Version): QuicPacket | null {
  const kind = version.kinds[(bytes[0]! >> 4) & 3]!;
  const idBytes = bytes[5]!;
  const destination = bytes.subarray(6, 6 + idBytes);
  const sourceAt = 6 + idBytes;
  const reader = createReader(bytes, sourceAt + 1 + (bytes[sourceAt] ?? 0));
  if (idBytes > MAX_ID_BYTES || reader.at > bytes.length) return null;
  if (kind === 'retry') return { kind, version, destination, bytes, numberAt: 0 };
  if (kind === 'initial') reader.skip(reader.number() ?? Infinity);
  const length = reader.number();
  const end = reader.at + (length ?? Infinity);
  return end > bytes.length
    ? null
    : { kind, version, destination, bytes: bytes.subarray(0, end), numberAt: reader.at };
}

/** Keys that protect the Initials of one end of a connection. */
interface InitialKeys {
  readonly key: Buffer;
  readonly iv: Buffer;
  readonly header: Buffer;
}

/** Keys of both ends: whoever sees the first Initial can compute them, because they come from its destination id alone. */
export interface ConnectionKeys {
  readonly client: InitialKeys;
  readonly server: InitialKeys;
}

/** Computes the keys of a connection from the destination id of the first Initial (RFC 9001 §5.2). */
export function initialKeys({ salt, label }: Version, destination: Buffer): ConnectionKeys {
  const secretOf = (end: string): InitialKeys => {
    const secret = Buffer.from(hkdfSync('sha256', destination, salt, labelled(end, 32), 32));
    return {
      key: expand(secret, `${label} key`, 16),
      iv: expand(secret, `${label} iv`, 12),
      header: expand(secret, `${label} hp`, 16),
    };
  };
  return { client: secretOf('client in'), server: secretOf('server in') };
}

/** HKDF-Expand-Label of TLS 1.3 (RFC 8446 §7.1), up to one block of SHA-256. */
const expand = (secret: Buffer, label: string, bytes: number): Buffer =>
  createHmac('sha256', secret)
    .update(labelled(label, bytes))
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, bytes);

function labelled(label: string, bytes: number): Buffer {
  const name = `tls13 ${label}`;
  return Buffer.concat([Buffer.from([0, bytes, name.length]), Buffer.from(name), Buffer.from([0])]);
}

const SAMPLE_BYTES = 16;
const TAG_BYTES = 16;

export interface OpenedInitial {
  readonly number: number;
  readonly frames: Buffer;
}

/** Decrypts an Initial; null: it is not protected with these keys. */
export function openInitial(
  { bytes, numberAt }: Pick<QuicPacket, 'bytes' | 'numberAt'>,
  { key, iv, header }: InitialKeys,
): OpenedInitial | null {
  const sample = bytes.subarray(numberAt + 4, numberAt + 4 + SAMPLE_BYTES);
  if (sample.length < SAMPLE_BYTES) return null;
  const mask = createCipheriv('aes-128-ecb', header, null).update(sample);
  const opened = Buffer.from(bytes);
  opened[0]! ^= mask[0]! & 0x0f;
  const numberBytes = (opened[0]! & 3) + 1;
  for (let place = 0; place < numberBytes; place += 1) opened[numberAt + place]! ^= mask[1 + place]!;
  // Initials are few: their numbers are not shortened (RFC 9000 §17.1).
  const number = opened.readUIntBE(numberAt, numberBytes);
  const nonce = Buffer.from(iv);
  for (let place = 0; place < numberBytes; place += 1)
    nonce[nonce.length - numberBytes + place]! ^= opened[numberAt + place]!;
  const from = numberAt + numberBytes;
  const tagAt = opened.length - TAG_BYTES;
  if (tagAt < from) return null;
  const opener = createDecipheriv('aes-128-gcm', key, nonce);
  opener.setAAD(opened.subarray(0, from));
  opener.setAuthTag(opened.subarray(tagAt));
  try {
    return { number, frames: Buffer.concat([opener.update(opened.subarray(from, tagAt)), opener.final()]) };
  } catch {
    return null;
  }
}

/** What the frames of an Initial say. */
export interface InitialFrames {
  /** Pieces of the TLS handshake, with their places. */
  readonly crypto: readonly { readonly at: number; readonly bytes: Buffer }[];
  /** Smallest number of a packet that it acknowledges; null: none. */
  readonly acknowledged: number | null;
  /** Error of CONNECTION_CLOSE; null: the packet has none. */
  readonly closeError: number | null;
}

const PADDING = 0x00;
const PING = 0x01;
const ACK = 0x02;
const ACK_WITH_ECN = 0x03;
const CRYPTO = 0x06;
const CONNECTION_CLOSE = 0x1c;

/** Reads the frames that an Initial may have (RFC 9000 §12.4), up to the first that is none of them. */
export function readInitialFrames(frames: Buffer): InitialFrames {
  const crypto: { at: number; bytes: Buffer }[] = [];
  let acknowledged: number | null = null;
  const reader = createReader(frames, 0);
  for (;;) {
    const kind = reader.number();
    if (kind === PADDING || kind === PING) continue;
    if (kind === ACK || kind === ACK_WITH_ECN) {
      acknowledged = readAck(reader, kind === ACK_WITH_ECN);
      continue;
    }
    if (kind === CONNECTION_CLOSE) return { crypto, acknowledged, closeError: reader.number() };
    const [at, length] = kind === CRYPTO ? [reader.number(), reader.number()] : [null, null];
    if (at === null || length === null) return { crypto, acknowledged, closeError: null };
    const bytes = frames.subarray(reader.at, reader.at + length);
    reader.skip(length);
    crypto.push({ at, bytes });
  }
}

/** Returns the smallest number in an ACK (RFC 9000 §19.3); null: it is not whole. */
function readAck(reader: Reader, hasEcn: boolean): number | null {
  const [largest, , ranges, first] = [reader.number(), reader.number(), reader.number(), reader.number()];
  let smallest = largest === null || first == null ? null : largest - first;
  for (let range = 0; range < ranges! && smallest !== null; range += 1) {
    const [gap, length] = [reader.number(), reader.number()];
    smallest = gap === null || length === null ? null : smallest - gap - 2 - length;
  }
  for (let count = 0; hasEcn && count < 3; count += 1) reader.number();
  return smallest;
}

interface Reader {
  readonly at: number;
  /** Reads an integer of variable length (RFC 9000 §16); null: there is none left. */
  number(): number | null;
  skip(bytes: number): void;
}

function createReader(bytes: Buffer, from: number): Reader {
  let at = from;
  return {
    get at() {
      return at;
    },
    number() {
      if (at >= bytes.length) return null;
      const length = 1 << (bytes[at]! >> 6);
      if (at + length > bytes.length) {
        at = bytes.length;
        return null;
      }
      let value = bytes[at]! & 0x3f;
      for (let place = 1; place < length; place += 1) value = value * 256 + bytes[at + place]!;
      at += length;
      return value;
    },
    skip(count) {
      at += count;
    },
  };
}
