import type { Entry } from '../registry.ts';

/**
 * A network as an experiment asks for it: what the simulator and the lab's emulated link both run. A recorded file is
 * a `RateTrace`; a profile says rate, delay, loss and queue of both directions.
 *
 *     steps[0] ── steps[1] ── … ── last step ─┬─ repeat: steps[0] again
 *                                             └─ once:   stays as the last step is
 */
export interface Profile extends Entry {
  /** Author, title or venue and year, with section or table; or what it is for. */
  readonly paper: string;
  /** At least one. */
  readonly steps: readonly ProfileStep[];
  /** Whether the steps begin again after the last one. */
  readonly repeat: boolean;
  /**
   * In front of the bottleneck, one for each direction that has a rate. It belongs to the whole profile, because the
   * buffer of a router does not grow and shrink with its rate.
   */
  readonly queue: Queue;
  /** What befalls UDP alone, counted from the start of the profile; absent or empty where UDP is treated as TCP is. */
  readonly udp?: readonly UdpSpell[];
}

export interface ProfileStep {
  readonly durationMs: number;
  /** IP bits per second from server to client / 1000; 0 is an outage; null is unlimited. */
  readonly downKbps: number | null;
  /** The same from client to server. */
  readonly upKbps: number | null;
  /** Propagation both ways, without queueing; half of it in each direction. */
  readonly rttMs: number;
  /** Share of packets lost at random, 0 to 1, after the queue. */
  readonly lossDown: number;
  readonly lossUp: number;
  /**
   * Whether the client gets another address when this step begins, as a phone that leaves its WiFi does: connections of
   * the old one are dead. Absent where it keeps its own.
   */
  readonly newAddress?: boolean;
}

/** `bdp` counts in bandwidth-delay products of the step in which that product is largest (`queuePackets.ts`). */
export type Queue =
  | { readonly kind: 'droptail' | 'codel'; readonly packets: number }
  | { readonly kind: 'droptail' | 'codel'; readonly bdp: number };

/** UDP from server to client, all ports: a policer (it drops, it does not queue). */
export interface UdpSpell {
  readonly fromMs: number;
  /** null: until the end of the session. */
  readonly untilMs: number | null;
  /** 0 is a block of both directions: packets vanish in the path without a word to either end. */
  readonly kbps: number;
}
