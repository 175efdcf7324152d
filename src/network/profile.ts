import type { Entry } from '../shared/registry.ts';

/**
 * Describes a network for experiments; the simulator and the emulated link both use it. A profile has rate, delay, loss
 * and queue of both directions. A recorded file is a `RateTrace`.
 *
 *     steps[0] ── steps[1] ── … ── last step ─┬─ repeat: steps[0] again
 *                                             └─ once:   continues as the last step
 */
export interface Profile extends Entry {
  /** Names author, title or venue, and year, with section or table; or the purpose of the profile. */
  readonly paper: string;
  /** At least one. */
  readonly steps: readonly ProfileStep[];
  /** Whether the steps are repeated after the last one. */
  readonly repeat: boolean;
  /**
   * Queue before the bottleneck, one for each direction with a rate. It is the same for all steps, because the buffer of
   * a router does not change with its rate.
   */
  readonly queue: Queue;
  /** Periods with limits for UDP only, in ms from the start of the profile; absent or empty: UDP is treated as TCP. */
  readonly udp?: readonly PolicedSpell[];
  /** The same for TCP only. */
  readonly tcp?: readonly PolicedSpell[];
}

export interface ProfileStep {
  readonly durationMs: number;
  /** IP bits per second from server to client / 1000; 0 is an outage; null is unlimited. */
  readonly downKbps: number | null;
  /** The same from client to server. */
  readonly upKbps: number | null;
  /** Propagation time in both directions, without queueing, in ms; each direction has half of it. */
  readonly rttMs: number;
  /** Share of packets that are randomly lost after the queue, 0 to 1. */
  readonly lossDown: number;
  readonly lossUp: number;
  /**
   * Whether the client gets a new address at the start of this step, like a phone that leaves its WiFi. Connections of
   * the old address fail. Absent: the client keeps its address.
   */
  readonly newAddress?: boolean;
  /**
   * Whether a NAT on the way gives the flows of UDP other ports at the start of this step, as one that was restarted or has
   * forgotten a flow that was silent for too long. Neither end gets an error, and TCP keeps its ports. Absent: no.
   */
  readonly newUdpPorts?: boolean;
}

/** `bdp` counts in bandwidth-delay products of the step in which that product is largest (`queuePackets`). */
export type Queue =
  | { readonly kind: 'droptail' | 'codel'; readonly packets: number }
  | { readonly kind: 'droptail' | 'codel'; readonly bdp: number };

/**
 * A deep tail-drop queue of 1000 packets: tc-netem(8) holds as many by default, and mm-link of Mahimahi holds
 * whatever comes, which no link here can; at 256 kbit/s 1000 packets are 47 s, more than any sender keeps in flight.
 */
export const kernelQueue: Queue = { kind: 'droptail', packets: 1000 };

/**
 * Limits one of both transports, UDP or TCP, from server to client on all ports with a policer, which drops packets and does
 * not queue them.
 */
export interface PolicedSpell {
  readonly fromMs: number;
  /** null: until the end of the session. */
  readonly untilMs: number | null;
  /** Limit in kbit/s. 0 blocks both directions: packets are lost in the path, and no end gets an error. */
  readonly kbps: number;
}

/** A full-size Ethernet payload, what the papers count queues in. */
const PACKET_BITS = 1500 * 8;

/**
 * Counts the packets that the queue of one direction holds. BDP multiples count in the step with the largest product of rate
 * and RTT; at least 1 packet. null when no step of that direction has a rate: then there is no bottleneck to wait at.
 */
export function queuePackets(profile: Profile, direction: 'down' | 'up'): number | null {
  const rateOf = (step: ProfileStep): number | null => (direction === 'down' ? step.downKbps : step.upKbps);
  const limited = profile.steps.filter((step) => rateOf(step) !== null);
  if (limited.length === 0) return null;
  if ('packets' in profile.queue) return profile.queue.packets;
  // kbit/s × ms = bits.
  const largestBits = Math.max(...limited.map((step) => (rateOf(step) ?? 0) * step.rttMs));
  return Math.max(1, Math.round((profile.queue.bdp * largestBits) / PACKET_BITS));
}
