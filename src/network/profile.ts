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
  /** Periods with limits for TCP only, in ms from the start of the profile; absent or empty: none. */
  readonly tcp?: readonly PolicedSpell[];
}

export interface ProfileStep {
  readonly durationMs: number;
  /** IP bits per second from server to client / 1000; 0 is an outage; null is unlimited. */
  readonly downKbps: number | null;
  /** IP bits per second from client to server / 1000; 0 is an outage; null is unlimited. */
  readonly upKbps: number | null;
  /** Propagation time in both directions, without queueing, in ms; each direction has half of it. */
  readonly rttMs: number;
  /** Share of packets that are randomly lost after the queue, 0 to 1. */
  readonly lossDown: number;
  readonly lossUp: number;
  /** Losses that come in bursts; `lossDown` and `lossUp` are then the shares that follow from it (`lossShareOf`). */
  readonly gilbertDown?: Gilbert;
  readonly gilbertUp?: Gilbert;
  /**
   * Whether the client gets a new address at the start of this step, like a phone that leaves its WiFi. Connections of
   * the old address fail. Absent: the client keeps its address.
   */
  readonly newAddress?: boolean;
  /** How long the client has no address at all before the new one, in ms, at most the step's duration. Absent: 0. */
  readonly gapMs?: number;
  /**
   * Whether a NAT on the way gives the flows of UDP other ports at the start of this step, as one that was restarted or has
   * forgotten a flow that was silent for too long. Neither end gets an error, and TCP keeps its ports. Absent: no.
   */
  readonly newUdpPorts?: boolean;
  /** The largest IP packet that the path carries in this step, in both directions. Absent: 1500 bytes (`USUAL_MTU_BYTES`). */
  readonly mtuBytes?: number;
  /**
   * Whether larger packets are lost without a word; absent: no, a router answers with ICMP "fragmentation needed" (RFC 1191), as
   * it should.
   */
  readonly mtuBlackHole?: boolean;
}

/**
 * Bursts of loss as in Gilbert's model (1960), which is the model of Gilbert and Elliott with h = 0 and k = 1: every packet is
 * lost in the bad state and none in the good one. Rattan's loss cell can do this, and not h or k.
 */
export interface Gilbert {
  /** Probability that a packet is lost after one that was not. */
  readonly p: number;
  /** Probability that a packet is not lost after one that was; a burst has 1/r packets in the mean. */
  readonly r: number;
}

/** The share of packets that are lost in the long run. */
export const lossShareOf = ({ p, r }: Gilbert): number => p / (p + r);

/** `bdp` counts in bandwidth-delay products of the step in which that product is largest (`queuePackets`). */
export type Queue =
  | { readonly kind: 'droptail' | 'codel'; readonly packets: number }
  | { readonly kind: 'droptail' | 'codel'; readonly bdp: number };

/**
 * A deep tail-drop queue of 1000 packets: tc-netem(8) holds as many by default, and mm-link of Mahimahi holds
 * whatever comes, which no link here can; at 256 kbit/s 1000 packets are 47 s, more than any sender keeps in flight.
 */
export const kernelQueue: Queue = { kind: 'droptail', packets: 1000 };

/** What is done to one of both transports, UDP or TCP, on all ports. */
export interface Limit {
  /** From server to client, in kbit/s. 0 blocks both directions: packets are lost in the path, and no end gets an error. */
  readonly kbps: number;
  /** Rate from client to server, in kbit/s, above 0. Absent: no limit, or blocked with `kbps` 0. */
  readonly upKbps?: number;
  /**
   * How long a packet waits at most before the limit, in ms: a queue of so much at the rate of each direction, which drops what
   * it cannot hold. Absent: a policer, which drops what exceeds its rate and burst and queues nothing.
   */
  readonly queueMs?: number;
}

/** A limit and its time. */
export interface PolicedSpell extends Limit {
  readonly fromMs: number;
  /** End of the limit; null: until the end of the session. */
  readonly untilMs: number | null;
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
