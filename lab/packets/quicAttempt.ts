import type { IpPacket } from '../../src/network/capture/ipPacket.ts';
import { beginAttempt, countPacket, noteHello, type AttemptDraft, type Begin, type Side } from './attempt.ts';
import { createHelloPieces, type HelloPieces } from './clientHello.ts';
import {
  initialKeys,
  openInitial,
  quicPacketsIn,
  readInitialFrames,
  type ConnectionKeys,
  type OpenedInitial,
  type QuicPacket,
} from './quicPackets.ts';

/** A connection over QUIC, whose Initials can be decrypted. */
export interface QuicAttempt {
  readonly attempt: AttemptDraft;
  /** Destination ids of the first Initial and, after a Retry, of the next: keys come from them. */
  readonly ids: Buffer[];
  readonly keys: Map<string, ConnectionKeys>;
  readonly pieces: HelloPieces;
  /** Number of the first Initial: Firefox draws it. */
  readonly firstNumber: number;
  isRetried: boolean;
}

const UDP_HEADER_BYTES = 8;

/** Returns what UDP carries, as far as it was captured. */
export function datagramOf({ transport }: IpPacket): Buffer {
  const from = Math.min(UDP_HEADER_BYTES, transport.byteLength);
  return Buffer.from(
    transport.buffer as ArrayBuffer,
    transport.byteOffset + from,
    transport.byteLength - from,
  );
}

/** Begins an attempt with a datagram of its client; null: it has no Initial, or not the client's. */
export function beginQuic(packet: IpPacket, datagram: Buffer, begin: Begin): QuicAttempt | null {
  const { atUnixMs, limits } = begin;
  const [first] = quicPacketsIn(datagram);
  const opened = first && openOwn(first);
  if (!opened) return null;
  const attempt = beginAttempt('quic', packet, { atUnixMs, from: 'client' });
  attempt.startUnixMs = atUnixMs;
  attempt.version = first.version!.id;
  const quic: QuicAttempt = {
    attempt,
    ids: [Buffer.from(first.destination!)],
    keys: new Map(),
    pieces: createHelloPieces('none', limits),
    firstNumber: opened.number,
    isRetried: false,
  };
  addToQuic(quic, packet, { datagram, atUnixMs, from: 'client' });
  return quic;
}

interface Seen {
  readonly datagram: Buffer;
  readonly atUnixMs: number;
  readonly from: Side;
}

/** Adds a datagram to its attempt; false: it begins another one on the same ports. */
export function addToQuic(quic: QuicAttempt, packet: IpPacket, { datagram, atUnixMs, from }: Seen): boolean {
  const packets = quicPacketsIn(datagram);
  const opened = packets.map((each) => openKnown(quic, each, from));
  if (from === 'client' && packets[0] && !opened[0] && openOwn(packets[0])) return false;
  if (!countPacket(quic.attempt, packet, { atUnixMs, from })) return true;
  for (const initial of opened) if (initial) readInitial(quic, initial, { atUnixMs, from });
  const kinds = new Set(packets.map(({ kind }) => kind));
  if (from === 'client') noteProgress(quic.attempt, kinds, atUnixMs);
  else noteAnswer(quic, { kinds, isOpened: opened.some((each) => each !== null) }, atUnixMs);
  return true;
}

type Kinds = ReadonlySet<QuicPacket['kind']>;

function noteAnswer(quic: QuicAttempt, seen: { kinds: Kinds; isOpened: boolean }, atUnixMs: number): void {
  quic.isRetried ||= seen.kinds.has('retry');
  if (quic.isRetried || seen.kinds.has('handshake') || seen.isOpened)
    quic.attempt.answeredUnixMs ??= atUnixMs;
}

function noteProgress(attempt: AttemptDraft, kinds: Kinds, atUnixMs: number): void {
  attempt.zeroRtt ||= kinds.has('zero-rtt');
  if (attempt.answeredUnixMs !== null && kinds.has('short')) attempt.readyUnixMs ??= atUnixMs;
}

function readInitial(
  { attempt, pieces, firstNumber }: QuicAttempt,
  { frames }: OpenedInitial,
  { atUnixMs, from }: Omit<Seen, 'datagram'>,
): void {
  const { crypto, acknowledged, closeError } = readInitialFrames(frames);
  // The server has packets that came before the first in the capture.
  if (from === 'server' && acknowledged !== null && acknowledged < firstNumber) attempt.startUnixMs = null;
  if (closeError !== null) attempt.end ??= { atUnixMs, how: 'close', by: from };
  if (from === 'server' || attempt.alpn) return;
  for (const { at, bytes } of crypto) noteHello(attempt, pieces.add(at, bytes));
}

/** Opens an Initial with keys of its attempt; the keys of each version of QUIC come from the same id (RFC 9369 §4.1). */
function openKnown(quic: QuicAttempt, packet: QuicPacket, from: Side): OpenedInitial | null {
  if (packet.kind !== 'initial') return null;
  for (const [place, id] of quic.ids.entries()) {
    const name = `${packet.version!.id} ${place}`;
    const keys = quic.keys.get(name) ?? initialKeys(packet.version!, id);
    quic.keys.set(name, keys);
    const opened = openInitial(packet, keys[from]);
    if (opened) return opened;
  }
  // After a Retry the keys come from the id that it gave (RFC 9001 §5.2).
  const retried = from === 'client' && quic.isRetried && quic.ids.length === 1 ? openOwn(packet) : null;
  if (retried) quic.ids.push(Buffer.from(packet.destination!));
  return retried;
}

/** RFC 9000 §7.2: the first destination id is that long, so that nobody guesses it. */
const MIN_FIRST_ID_BYTES = 8;

/** Opens the first Initial of a client, whose keys come from its own destination id. */
function openOwn({ kind, version, destination, ...rest }: QuicPacket): OpenedInitial | null {
  if (kind !== 'initial' || destination!.length < MIN_FIRST_ID_BYTES) return null;
  return openInitial(rest, initialKeys(version!, destination!).client);
}
