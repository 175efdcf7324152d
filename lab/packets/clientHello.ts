/** What a client offers in its first message of TLS (RFC 8446 §4.1.2), which anyone on the path can read. */
export interface ClientHello {
  /** Name of the server (SNI); null: it names none. */
  readonly serverName: string | null;
  /** Protocols that it offers (ALPN), the one that it likes best first. */
  readonly alpn: readonly string[];
}

/** The largest ClientHello that is read: a record of TLS. Those of browsers have 2 kB. */
const MAX_HELLO_BYTES = 16_384;
/** Chromium cuts its ClientHello into some 10 pieces, in disorder. */
export const MAX_PIECES = 256;

/** What the pieces of all ClientHellos of a capture that are not whole may take together. */
export const MAX_PIECES_BYTES = 64 * 2 ** 20;
/** What a piece takes besides its bytes. */
const PIECE_BYTES = 256;
/** Names of hosts are no longer (RFC 1035 §2.3.4), and browsers offer a handful of protocols. */
const MAX_NAME_BYTES = 255;
const MAX_PROTOCOLS = 32;

/** Of a capture. */
export interface PieceLimits {
  leftBytes: number;
  /** ClientHellos that are not read because of a limit. */
  refused: number;
}

/** Puts the pieces of a handshake in order, as they come. */
export interface HelloPieces {
  /** Returns the ClientHello as soon as it is whole; null until then, and for what is none. */
  add(at: number, bytes: Buffer): ClientHello | null;
}

/** @param framing `records`, as over TCP, or `none`, as in the CRYPTO frames of QUIC */
export function createHelloPieces(framing: 'records' | 'none', limits: PieceLimits): HelloPieces {
  let pieces: Piece[] = [];
  let [heldBytes, isRefused] = [0, false];
  return {
    add(at, bytes) {
      if (at + bytes.length > MAX_HELLO_BYTES || isRefused) return null;
      // A copy, and none in memory that others share: the piece's own is that of a megabyte of the capture.
      pieces.push({ at, bytes: new Uint8Array(bytes) });
      pieces.sort((one, other) => one.at - other.at);
      heldBytes += bytes.length + PIECE_BYTES;
      limits.leftBytes -= bytes.length + PIECE_BYTES;
      const stream = firstBytes(pieces);
      const hello = parseHello(framing === 'records' ? withoutRecords(stream) : stream);
      isRefused = !hello && (pieces.length > MAX_PIECES || limits.leftBytes < 0);
      limits.refused += Number(isRefused);
      if (!hello && !isRefused) return null;
      limits.leftBytes += heldBytes;
      [pieces, heldBytes] = [[], 0];
      return hello;
    },
  };
}

interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

function firstBytes(pieces: readonly Piece[]): Buffer {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { at, bytes } of pieces) {
    if (at > end) break;
    if (at + bytes.length <= end) continue;
    parts.push(bytes.subarray(end - at));
    end = at + bytes.length;
  }
  return Buffer.concat(parts);
}

const HANDSHAKE_RECORD = 22;
const RECORD_HEADER_BYTES = 5;

function withoutRecords(stream: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + RECORD_HEADER_BYTES <= stream.length && stream[at] === HANDSHAKE_RECORD;) {
    const from = at + RECORD_HEADER_BYTES;
    at = from + stream.readUInt16BE(at + 3);
    parts.push(stream.subarray(from, at));
  }
  return Buffer.concat(parts);
}

const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ALPN = 16;

function parseHello(message: Buffer): ClientHello | null {
  if (message.length < 4 || message[0] !== CLIENT_HELLO) return null;
  const length = message.readUIntBE(1, 3);
  if (message.length < 4 + length) return null;
  try {
    return helloOf(message.subarray(4, 4 + length));
  } catch (error) {
    // A length in it points behind its end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const VERSION_AND_RANDOM_BYTES = 34;

function helloOf(body: Buffer): ClientHello {
  let at = VERSION_AND_RANDOM_BYTES;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  let serverName: string | null = null;
  let alpn: readonly string[] = [];
  for (at += 2; at + 4 <= body.length;) {
    const extension = body.subarray(at + 4, at + 4 + body.readUInt16BE(at + 2));
    const kind = body.readUInt16BE(at);
    if (kind === SERVER_NAME) serverName = nameIn(extension);
    if (kind === ALPN) alpn = protocolsIn(extension);
    at += 4 + extension.length;
  }
  if ((serverName?.length ?? 0) > MAX_NAME_BYTES || alpn.length > MAX_PROTOCOLS)
    throw new RangeError('it offers more than a client does');
  return { serverName, alpn };
}

/** A list of names, of which only one kind exists: that of a host (RFC 6066 §3). */
const nameIn = (list: Buffer): string => list.subarray(5, 5 + list.readUInt16BE(3)).toString('latin1');

function protocolsIn(list: Buffer): string[] {
  const protocols: string[] = [];
  for (let at = 2; at < list.length; at += 1 + list[at]!)
    protocols.push(list.subarray(at + 1, at + 1 + list[at]!).toString('latin1'));
  return protocols;
}
