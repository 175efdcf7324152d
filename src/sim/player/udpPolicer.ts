import type { PolicedSpell } from '../../network/profile.ts';
import { udpAt, type UdpNow } from '../../network/udpPath.ts';
import { PACKET_BITS } from './congestionWindow.ts';

/** What counts as rounding. */
const NOTHING_BITS = 1;

/**
 * A policer of UDP as a bucket: full when its limit begins, it fills at the limit's rate, and what passes empties it. While
 * it has something, UDP gets what the path has; then UDP gets the rate of the limit.
 *
 *     pause ── burst at the rate of the path ── the rate of the limit …
 *
 * What it drops is not a part of this: the senders lower their windows for it (`CongestionWindow`), as for a queue of the
 * size of the burst.
 */
export class UdpPolicer {
  #nowMs = 0;
  #limit: UdpNow;
  #bits: number;
  #isSpent = false;
  readonly #spells: readonly PolicedSpell[];

  constructor(spells: readonly PolicedSpell[]) {
    this.#spells = spells;
    this.#limit = udpAt(spells, 0);
    this.#bits = burstBits(this.#limit);
  }

  /** What the path does to UDP now. */
  get limit(): UdpNow {
    return this.#limit;
  }

  /** The most that passes now, in kbit/s. */
  get maxKbps(): number {
    return this.#isSpent || this.#limit.kbps === 0 ? this.#limit.kbps : Infinity;
  }

  /** How long the burst lasts if so much passes; Infinity: for ever, or it is spent. */
  spentInMs(kbps: number): number {
    const drainKbps = kbps - this.#limit.kbps;
    return this.#isSpent || drainKbps <= 0 ? Infinity : (this.#bits - PACKET_BITS) / drainKbps;
  }

  /** Time goes on, in which so many bits passed. */
  advanceTo(atMs: number, passedBits: number): void {
    const { kbps, untilMs } = this.#limit;
    if (kbps < Infinity) this.#fill(kbps * (atMs - this.#nowMs) - passedBits);
    this.#nowMs = atMs;
    if (atMs >= untilMs) this.#change(udpAt(this.#spells, atMs));
  }

  /** A packet passes as a whole: with less than one the bucket is empty. Between one and two it stays what it was. */
  #fill(bits: number): void {
    this.#bits = Math.min(burstBits(this.#limit), this.#bits + bits);
    if (this.#bits <= PACKET_BITS + NOTHING_BITS) this.#isSpent = true;
    else if (this.#bits >= 2 * PACKET_BITS) this.#isSpent = false;
  }

  #change(limit: UdpNow): void {
    if (limit.kbps !== this.#limit.kbps) {
      this.#bits = burstBits(limit);
      this.#isSpent = false;
    }
    this.#limit = limit;
  }
}

const burstBits = ({ burstPackets }: UdpNow): number => burstPackets * PACKET_BITS;
