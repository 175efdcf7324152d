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
  readonly udp?: readonly UdpSpell[];
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
}

/** `bdp` counts in bandwidth-delay products of the step in which that product is largest (`queuePackets.ts`). */
export type Queue =
  | { readonly kind: 'droptail' | 'codel'; readonly packets: number }
  | { readonly kind: 'droptail' | 'codel'; readonly bdp: number };

/** Limits UDP from server to client on all ports with a policer, which drops packets and does not queue them. */
export interface UdpSpell {
  readonly fromMs: number;
  /** null: until the end of the session. */
  readonly untilMs: number | null;
  /** Limit in kbit/s. 0 blocks both directions: packets are lost in the path, and no end gets an error. */
  readonly kbps: number;
}
