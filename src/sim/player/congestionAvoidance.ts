import { cubeRoot } from '../../shared/exactMath/cubeRoot.ts';

/** A moment of one connection. */
interface RoundNow {
  readonly nowMs: number;
  readonly rttMs: number;
}

/** How a window grows after slow start, and what a loss leaves of it. Windows and packets in bits. */
export interface CongestionAvoidance {
  /** Share of the window that a loss leaves. */
  readonly beta: number;
  /** A loss took the window from `priorBits` to `leftBits`. */
  lost(priorBits: number, leftBits: number, now: RoundNow): void;
  /** Nothing was sent for so long. */
  paused(pauseMs: number): void;
  /** The window after the acknowledgements of `share` of it, 0 to 1, which arrive within the next round-trip time. */
  grown(bits: number, now: RoundNow, share: number): number;
}

/** Reno: a packet in each round (RFC 5681 §3.1). */
export const renoAvoidance = (beta: number, packetBits: number): CongestionAvoidance => ({
  beta,
  lost: () => {},
  paused: () => {},
  grown: (bits, _, share) => bits + packetBits * share,
});

/** What implementations of CUBIC do differently. */
interface CubicKind {
  readonly beta: number;
  /** Packets in a round of the Reno-friendly estimate (RFC 9438 §4.3), before and after it reaches the window of the last loss. */
  readonly alpha: number;
  readonly alphaAfter: number;
  /** The window grows in a round by at most this factor. */
  readonly maxGrowth: number;
  /** Time without data in flight does not count (RFC 9438 §5.8). */
  readonly isPaused: boolean;
  /**
   * The curve begins with the recovery that a loss begins, not with its end, and at β times the maximum, whatever the window.
   * The Reno-friendly estimate grows with the clock from then on (`w_est` in round-trip times), not with acknowledgements.
   */
  readonly isQuinn: boolean;
  /** The window follows the Reno-friendly estimate as it follows the curve, by a part of the distance for each packet. */
  readonly isFriendlySlowly: boolean;
}

/** RFC 9438 §4.6. */
const BETA = 0.7;
/** 3 (1 − β) / (1 + β): RFC 9438 §4.3. */
const ALPHA = (3 * (1 - BETA)) / (1 + BETA);

/** Linux' tcp_cubic.c: at most one packet for two acknowledged; α stays. */
export const LINUX_CUBIC: CubicKind = {
  beta: BETA,
  alpha: ALPHA,
  alphaAfter: ALPHA,
  maxGrowth: 1.5,
  isPaused: true,
  isQuinn: false,
  isFriendlySlowly: true,
};

/** quinn-proto 0.11, congestion/cubic.rs: at most a packet for each acknowledged one; its clock does not stop in pauses. */
export const QUINN_CUBIC: CubicKind = {
  ...LINUX_CUBIC,
  maxGrowth: 2,
  isPaused: false,
  isQuinn: true,
  isFriendlySlowly: false,
};

/** One sender with the share of N: mulTCP's β and α (the instrumented origin's congestion/cubic.rs). */
export function emulatingCubic(connections: number): CubicKind {
  const beta = (connections - 1 + BETA) / connections;
  const alpha = (3 * connections ** 2 * (1 - beta)) / (1 + beta);
  return { ...LINUX_CUBIC, beta, alpha, alphaAfter: connections, isFriendlySlowly: false };
}

/** Packets per second cubed (RFC 9438 §5.1). */
const C = 0.4;
/** The window follows a curve that moves: a round is computed in so many parts. */
const PARTS = 4;

/** CUBIC (RFC 9438): the curve C (t − K)³ + W_max from the last loss on, or Reno's line where that is ahead. */
export class CubicAvoidance implements CongestionAvoidance {
  readonly beta: number;
  /** null: no loss yet, and slow start is not over. */
  #sinceMs: number | null = null;
  #maxPackets = 0;
  #originPackets = 0;
  #kSeconds = 0;
  #priorPackets = 0;
  #friendlyPackets = 0;
  #lowestPackets = 0;
  readonly #kind: CubicKind;
  readonly #packetBits: number;

  constructor(kind: CubicKind, packetBits: number) {
    this.#kind = kind;
    this.beta = kind.beta;
    this.#packetBits = packetBits;
  }

  lost(priorBits: number, leftBits: number, { nowMs, rttMs }: RoundNow): void {
    const [prior, left] = [priorBits / this.#packetBits, leftBits / this.#packetBits];
    const { beta, isQuinn } = this.#kind;
    // Fast convergence: a loss below the old maximum lowers the maximum (§4.7).
    const max = prior < this.#maxPackets ? (prior * (1 + beta)) / 2 : prior;
    const lowest = isQuinn ? max * beta : left;
    this.#maxPackets = max;
    this.#begin(isQuinn ? nowMs : nowMs + rttMs, { origin: Math.max(max, lowest), lowest, prior });
  }

  paused(pauseMs: number): void {
    if (this.#kind.isPaused && this.#sinceMs !== null) this.#sinceMs += pauseMs;
  }

  grown(bits: number, now: RoundNow, share: number): number {
    let packets = bits / this.#packetBits;
    if (this.#sinceMs === null) this.#begin(now.nowMs, { origin: packets, lowest: packets, prior: packets });
    for (let part = 0; part < PARTS; part += 1)
      packets = this.#part(packets, { ...now, nowMs: now.nowMs + (part * now.rttMs) / PARTS }, share / PARTS);
    return packets * this.#packetBits;
  }

  #begin(atMs: number, { origin, lowest, prior }: { origin: number; lowest: number; prior: number }): void {
    this.#sinceMs = atMs;
    this.#originPackets = origin;
    this.#kSeconds = cubeRoot((origin - lowest) / C);
    this.#friendlyPackets = this.#lowestPackets = lowest;
    this.#priorPackets = prior;
  }

  #part(packets: number, { nowMs, rttMs }: RoundNow, share: number): number {
    const { alpha, alphaAfter, maxGrowth, isFriendlySlowly, isQuinn } = this.#kind;
    const seconds = (nowMs + rttMs - this.#sinceMs!) / 1000;
    // Not `** 3`, which is left to the engine: the same sessions in every browser, and in research/train/env/player_path.c.
    const since = seconds - this.#kSeconds;
    const curve = C * (since * since * since) + this.#originPackets;
    if (isQuinn)
      this.#friendlyPackets = this.#lowestPackets + (alpha * 1000 * (seconds - rttMs / 1000)) / rttMs;
    else this.#friendlyPackets += share * (this.#friendlyPackets < this.#priorPackets ? alpha : alphaAfter);
    if (curve < this.#friendlyPackets && !isFriendlySlowly) return Math.max(packets, this.#friendlyPackets);
    const target = Math.max(Math.min(curve, packets * maxGrowth), this.#friendlyPackets, packets);
    return packets + (target - packets) * share;
  }
}
