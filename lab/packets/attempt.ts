import type { IpPacket } from '../../src/network/capture/ipPacket.ts';
import type { ConnectionAttempt } from '../../src/telemetry/packets/packetFacts.ts';
import type { ClientHello, PieceLimits } from './clientHello.ts';

type Mutable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

/** An attempt to connect while its packets are read. */
export interface AttemptDraft extends Mutable<Omit<ConnectionAttempt, 'end'>> {
  end: ConnectionAttempt['end'];
  /** When ICMP said that the server cannot be reached. */
  unreachableUnixMs: number | null;
  lastSentUnixMs: number;
  /** Interfaces that saw the first packet of client and server: what others see of it again does not count. */
  readonly seenOn: { client: string | null; server: string | null };
}

/** What an attempt begins with besides its first packet. */
export interface Begin {
  readonly atUnixMs: number;
  readonly limits: PieceLimits;
}

/** Where a packet goes within an attempt. */
export type Side = 'client' | 'server';

/** Begins the attempt whose first packet comes from its client, or goes to it. */
export function beginAttempt(
  protocol: ConnectionAttempt['protocol'],
  { source, destination, ports }: IpPacket,
  { atUnixMs, from }: { readonly atUnixMs: number; readonly from: Side },
): AttemptDraft {
  const ends = [
    { address: source, port: ports![0] },
    { address: destination, port: ports![1] },
  ] as const;
  const [client, server] = from === 'client' ? ends : ([ends[1], ends[0]] as const);
  return {
    protocol,
    client,
    server,
    startUnixMs: null,
    firstUnixMs: atUnixMs,
    lastUnixMs: atUnixMs,
    answeredUnixMs: null,
    readyUnixMs: null,
    unansweredUnixMs: null,
    end: null,
    serverName: null,
    alpn: null,
    version: null,
    zeroRtt: false,
    sentBytes: 0,
    receivedBytes: 0,
    sentPackets: 0,
    receivedPackets: 0,
    unreachableUnixMs: null,
    lastSentUnixMs: atUnixMs,
    seenOn: { client: null, server: null },
  };
}

/** Counts a packet; false: another interface has it, too, and it counts there. */
export function countPacket(
  attempt: AttemptDraft,
  { ipBytes, seenOn }: IpPacket,
  { atUnixMs, from }: { readonly atUnixMs: number; readonly from: Side },
): boolean {
  attempt.seenOn[from] ??= seenOn;
  if (attempt.seenOn[from] !== seenOn) return false;
  attempt.lastUnixMs = Math.max(attempt.lastUnixMs, atUnixMs);
  if (from === 'client') {
    attempt.lastSentUnixMs = atUnixMs;
    attempt.unansweredUnixMs ??= atUnixMs;
    attempt.sentBytes += ipBytes;
    attempt.sentPackets += 1;
  } else {
    attempt.unansweredUnixMs = null;
    attempt.receivedBytes += ipBytes;
    attempt.receivedPackets += 1;
  }
  return true;
}

export function noteHello(attempt: AttemptDraft, hello: ClientHello | null): void {
  if (hello) [attempt.serverName, attempt.alpn] = [hello.serverName, hello.alpn];
}

/** Returns what is known of an attempt when the capture is over. */
export function finishAttempt(draft: AttemptDraft): ConnectionAttempt {
  const { unreachableUnixMs, lastSentUnixMs, ...attempt } = draft;
  // Firefox ignores ICMP and sends on: that is no end.
  const isUnreachable = unreachableUnixMs !== null && lastSentUnixMs <= unreachableUnixMs;
  const end = isUnreachable
    ? ({ atUnixMs: unreachableUnixMs, how: 'unreachable', by: 'path' } as const)
    : attempt.end;
  return { ...attempt, end: attempt.end ?? end };
}
