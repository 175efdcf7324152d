import { CongestionWindow, PACKET_BITS, type TransportKind } from './congestionWindow.ts';
import { handshakeDelays, type PacketFate } from './exchanges.ts';
import type { Lane } from './lane.ts';
import { LossRecovery } from './lossRecovery.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** One connection, from its handshake on. */
export interface Connection {
  readonly connectStartMs: number;
  readonly secureConnectionStartMs: number;
  /** Session time at which the first request can go out. */
  readonly readyMs: number;
  /** Number of requests on the connection now. */
  load: number;
  readonly lane: Lane;
}

/** The connections of one session to its one origin. */
export interface Connections {
  /** Where a request made now goes; null when it has to wait for one to be free. `isNew`: it pays the handshake. */
  take(nowMs: number, rttMs: number): { readonly connection: Connection; readonly isNew: boolean } | null;
  /** The request on it is over. Aborted over h1, the connection ends with it: nothing else can stop the answer. */
  leave(connection: Connection, aborted: boolean): void;
}

/** Largest plain text of a TLS record (RFC 8446 §5.1), also largest h2 frame that a browser asks for (RFC 9113 §6.5.2). */
export const RECORD_BYTES = 16_384;

/** Random losses of a session's packets. */
export interface Losses extends PacketFate {
  readonly random: () => number;
}

/**
 * h1 carries one request at a time per connection, h2 and h3 any number. An idle connection is used first, of several the
 * one that became idle last (Chromium, TransportClientSocketPool::AssignIdleSocketToRequest), then a new one is opened
 * while the limit allows, then the least busy is shared.
 */
export function createConnections(settings: PlayerModelSettings, losses: Losses | null = null): Connections {
  const max = settings.connections ?? (settings.protocol === 'h1' ? 6 : 1);
  // Idle ones in the order in which they became idle.
  const open: Connection[] = [];
  return {
    take(nowMs, rttMs) {
      const quietest = open.findLast(({ load }) => load === 0) ?? minLoaded(open);
      if (quietest && (quietest.load === 0 || open.length >= max)) {
        if (settings.protocol === 'h1' && quietest.load > 0) return null;
        quietest.load += 1;
        return { connection: quietest, isNew: false };
      }
      const shaken = handshake(settings, { nowMs, rttMs, losses });
      const connection = { ...shaken, load: 1, lane: laneOf(settings, losses) };
      open.push(connection);
      return { connection, isNew: true };
    },
    leave(connection, aborted) {
      connection.load -= 1;
      open.splice(open.indexOf(connection), 1);
      if (!aborted || settings.protocol !== 'h1') open.push(connection);
    },
  };
}

const minLoaded = (open: readonly Connection[]): Connection | undefined =>
  open.toSorted((one, other) => one.load - other.load)[0];

/**
 * Over h2 the server hands a body to the kernel as far as its send buffer takes it (twice the congestion window,
 * tcp_sndbuf_expand() in Linux' tcp_input.c), which behind a slow link is soon all of it: what is asked for later comes
 * behind it. quic-go takes turns between the streams of a connection.
 */
function laneOf(settings: PlayerModelSettings, losses: Losses | null): Lane {
  const { protocol, sender } = settings;
  const kind = transportOf(protocol);
  const window = sender && new CongestionWindow(sender, kind);
  const recovery =
    losses && window && new LossRecovery(losses.random, { kind, packetBits: window.packetBits });
  const lane = { inOrder: kind === 'tcp', isUdp: kind === 'quic', window, recovery, transfers: [] };
  const firstBits = firstBitsOf(kind, settings, lane.window);
  return firstBits === null ? lane : { ...lane, firstBits };
}

/** Returns how many bits of a body must have come before its first byte can be used; null: nothing more than that byte. */
function firstBitsOf(
  kind: TransportKind,
  { sender, steering }: PlayerModelSettings,
  window: CongestionWindow | null,
): number | null {
  if (kind === 'tcp' && sender?.instrumented?.tlsRecords === '16k') return RECORD_BYTES * 8;
  // A packet passes a policer as a whole, which behind a low limit takes as long as several round trips.
  return steering ? (window?.packetBits ?? PACKET_BITS) : null;
}

export const transportOf = (protocol: PlayerModelSettings['protocol']): TransportKind =>
  protocol === 'h3' ? 'quic' : 'tcp';

/**
 * TCP one round trip (RFC 9293 §3.5), TLS 1.3 another (RFC 8446 §2), none with early data (§2.3). QUIC: both in one
 * (RFC 9000 §7), none with 0-RTT.
 */
function handshake(
  { protocol, earlyData }: PlayerModelSettings,
  { nowMs, rttMs, losses }: { nowMs: number; rttMs: number; losses: Losses | null },
) {
  const kind = transportOf(protocol);
  const delays = handshakeDelays(losses, { kind, rttMs });
  const transportMs = kind === 'quic' ? 0 : rttMs + delays.transportMs;
  const secureMs = earlyData ? 0 : rttMs + delays.secureMs;
  return {
    connectStartMs: nowMs,
    secureConnectionStartMs: nowMs + transportMs,
    readyMs: nowMs + transportMs + secureMs,
  };
}
