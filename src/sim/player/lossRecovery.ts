import { RTO_MIN_MS, type TransportKind } from './congestionWindow.ts';

/** What of a body has crossed the path. */
export interface SentBody {
  readonly bits: number;
  /** Bits that are not sent yet, or are to be sent again. */
  leftBits: number;
  /** Bits that are lost, and that the sender does not send again yet. */
  lostBits: number;
}

/** A packet that is lost and not sent again yet. */
interface Hole {
  readonly transfer: SentBody;
  readonly bits: number;
  readonly lostAtMs: number;
  /** Whether the body has no byte before this packet. */
  readonly isFirst: boolean;
  /** Bits of the connection that arrived after this packet. */
  laterBits: number;
  /** When the packet arrives again, if that repeat is not lost. */
  dueMs: number;
  /** Whether acknowledgements of later packets tell of the loss. */
  isReported: boolean;
}

/** A lost packet that is sent again. */
interface Repair extends Pick<Hole, 'transfer' | 'bits' | 'lostAtMs'> {
  /** Time-outs in a row, this one included; 0: acknowledgements told of the loss. */
  readonly timeOuts: number;
}

/** Loss probabilities of a path at a moment. */
export interface LossNow {
  /** Probability that a packet is lost after one that was not, 0 to 1. */
  readonly first: number;
  /** Probability that a packet is lost after one that was, 0 to 1; absent: each packet is lost by itself. */
  readonly again?: number;
}

/** A stretch of time in which a connection is served at one rate. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly rttMs: number;
}

/** Later packets whose acknowledgements make a packet lost (RFC 5681 §3.2, RFC 9002 §6.1.1). */
const DUPLICATES = 3;
/**
 * Round-trip times after which a sent packet counts as lost where fewer than `DUPLICATES` later packets are acknowledged (RFC
 * 8985 §6.2 with a quarter, RFC 9002 §6.1.2).
 */
const REORDERING = { tcp: 1.25, quic: 1.125 } as const;
/** RFC 9000 §18.2 (max_ack_delay) and RFC 9002 §6.1.2 (kGranularity). */
const QUIC_ACK_DELAY_MS = 25 + 1;
/** Linux, TCP_RTO_MAX. */
const MAX_TIMER_MS = 120_000;

/**
 * A timer of a sender: `timeOuts` have fired in a row before. TCP first probes the tail, after two round-trip times and no
 * later than the retransmission time-out (RFC 8985 §7.2, RFC 6298 with Linux' minimum); QUIC: RFC 9002 §6.2.1. Round-trip
 * times are taken as steady: their variance adds nothing.
 */
export function timerMs(kind: TransportKind, rttMs: number, timeOuts: number): number {
  const rtoMs = rttMs + RTO_MIN_MS;
  if (kind === 'tcp' && timeOuts === 0) return Math.min(2 * rttMs, rtoMs);
  const ms = kind === 'tcp' ? rtoMs * 2 ** (timeOuts - 1) : (rttMs + QUIC_ACK_DELAY_MS) * 2 ** timeOuts;
  return Math.min(ms, MAX_TIMER_MS);
}

/**
 * Random losses of one connection and when their packets come again. All times are those of arrivals: what is sent when the
 * sender learns of an arrival comes a round-trip time after it.
 *
 *     lost ─ 1 later ─ 2 ─ 3 later packets arrive ── 1 RTT ── it comes again     selective acknowledgements (RFC 2018, 9002)
 *     lost ─ 1 later … no third ── 1 RTT, at least 1.25 (TCP) or 1.125 (QUIC) ── it comes again
 *     lost, nothing later ── probe ── time-out ── 2 × time-out …
 *
 * With selective acknowledgements all holes of a window are told of within one round, and a packet that is lost when it is
 * sent again is told of by what is sent after it (RFC 8985 §3.2): a connection waits for a timer at its tail only.
 */
export class LossRecovery {
  /** Bits until the end of the next packet that is lost. */
  #gapBits = Infinity;
  #loss: LossNow = { first: 0 };
  #holes: Hole[] = [];
  #timeOuts = 0;
  #deliveredMs = -Infinity;
  #round = { servedBits: 0, knownBits: 0, hasDelivered: false };
  readonly #random: () => number;
  readonly #kind: TransportKind;
  readonly #packetBits: number;

  constructor(random: () => number, { kind, packetBits }: { kind: TransportKind; packetBits: number }) {
    this.#random = random;
    this.#kind = kind;
    this.#packetBits = packetBits;
  }

  /** Bits that can be served until a packet is lost; packets between losses, or between bursts of them, are geometric. */
  untilLossBits(loss: LossNow): number {
    if (loss.first !== this.#loss.first || loss.again !== this.#loss.again) {
      this.#loss = loss;
      this.#draw();
    }
    return this.#gapBits;
  }

  get dueMs(): number {
    return this.#holes.reduce((min, { dueMs }) => Math.min(min, dueMs), Infinity);
  }

  /** Lost bits that the window still counts as in flight. */
  get lostBits(): number {
    return this.#holes.reduce((sum, { bits }) => sum + bits, 0);
  }

  /** Something of this round was acknowledged, or nothing of it is missing. */
  get mayTurn(): boolean {
    return this.#round.hasDelivered || this.#holes.length === 0;
  }

  /** The share of a round that was acknowledged before a loss was known; begins the next one. */
  endRound(): number {
    const { servedBits, knownBits } = this.#round;
    this.#round = { servedBits: 0, knownBits: 0, hasDelivered: false };
    return servedBits > 0 ? knownBits / servedBits : 1;
  }

  /** Whether the first packet of a body is lost, or will be when it is sent next. */
  lacksFirst(transfer: SentBody): boolean {
    const isNext = transfer.leftBits === transfer.bits && this.#gapBits <= this.#packetBits;
    return isNext || this.#holes.some((hole) => hole.isFirst && hole.transfer === transfer);
  }

  /** Counts bits of the connection that crossed the path. */
  served(bits: number, stretch: Stretch): void {
    const arrivedBits = Math.min(Math.max(this.#gapBits - this.#packetBits, 0), bits);
    this.#gapBits -= bits;
    this.#round.servedBits += bits;
    if (this.#holes.length === 0) this.#round.knownBits += bits;
    if (arrivedBits <= 0) return;
    const msPerBit = (stretch.untilMs - stretch.fromMs) / bits;
    this.#arrived(arrivedBits, { ...stretch, untilMs: stretch.fromMs + arrivedBits * msPerBit });
  }

  /** A body ended: its last packet need not be full. True when that one is lost. */
  endBody(stretch: Stretch): boolean {
    const packets = Math.floor(this.#gapBits / this.#packetBits + 1e-9);
    const restBits = this.#gapBits === Infinity ? 0 : this.#gapBits - packets * this.#packetBits;
    if (restBits > 0) this.#gapBits = packets * this.#packetBits;
    if (packets === 0) return true;
    if (restBits > 0) this.#arrived(restBits, { ...stretch, fromMs: stretch.untilMs });
    return false;
  }

  /** The packet that was served last is lost. `recordBits`: what has to come before the first byte can be used. */
  lose(transfer: SentBody, { untilMs: nowMs, rttMs }: Stretch, recordBits = 0): void {
    this.#drawAfterLoss();
    const sentBits = transfer.bits - transfer.leftBits - transfer.lostBits;
    const bits = Math.min(this.#packetBits, sentBits);
    if (bits <= 0) return;
    transfer.lostBits += bits;
    const firstBits = Math.max(this.#packetBits, recordBits);
    // TCP's timer begins anew with each acknowledgement (RFC 6298 §5.3), QUIC's with each packet (RFC 9002 §6.2.1).
    const timerFromMs = this.#kind === 'tcp' ? Math.max(nowMs, this.#deliveredMs + rttMs) : nowMs;
    this.#holes.push({
      transfer,
      bits,
      lostAtMs: nowMs,
      isFirst: sentBits <= firstBits,
      laterBits: 0,
      dueMs: timerFromMs + timerMs(this.#kind, rttMs, this.#timeOuts),
      isReported: false,
    });
  }

  /** What comes again now. */
  takeDue({ nowMs, rttMs }: { readonly nowMs: number; readonly rttMs: number }): Repair[] {
    const repairs: Repair[] = [];
    for (const hole of this.#holes.filter(({ dueMs }) => dueMs <= nowMs)) {
      if (hole.dueMs > nowMs) continue;
      this.#holes.splice(this.#holes.indexOf(hole), 1);
      hole.transfer.lostBits -= hole.bits;
      if (!hole.isReported) this.#timeOut(nowMs, rttMs);
      const { transfer, bits, lostAtMs, isReported } = hole;
      repairs.push({ transfer, bits, lostAtMs, timeOuts: isReported ? 0 : this.#timeOuts });
    }
    return repairs;
  }

  /** One of the bodies that share a connection: whose packet is lost. */
  pick(transfers: readonly SentBody[]): SentBody {
    const [only, ...others] = transfers;
    return others.length === 0 ? only! : transfers[Math.floor(this.#random() * transfers.length)]!;
  }

  /** Forgets the losses of a body that nobody waits for any more. */
  drop(transfer: SentBody): void {
    this.#holes = this.#holes.filter((hole) => hole.transfer !== transfer);
  }

  /** The next packet is lost, too; or it is not, and then it is as after any packet that was not. */
  #drawAfterLoss(): void {
    const { again } = this.#loss;
    const isAgain = again !== undefined && this.#random() < again;
    if (isAgain) this.#gapBits = this.#packetBits;
    else this.#draw();
    if (again !== undefined && !isAgain) this.#gapBits += this.#packetBits;
  }

  #draw(): void {
    const share = this.#loss.first;
    const drawn = Math.floor(Math.log(1 - this.#random()) / Math.log(1 - share));
    this.#gapBits = share > 0 ? this.#packetBits * (1 + (share < 1 ? drawn : 0)) : Infinity;
  }

  /** A probe goes out; the other holes wait for its acknowledgement or for the next timer. */
  #timeOut(nowMs: number, rttMs: number): void {
    this.#timeOuts += 1;
    const dueMs = nowMs + timerMs(this.#kind, rttMs, this.#timeOuts);
    for (const hole of this.#holes) if (!hole.isReported) hole.dueMs = Math.max(hole.dueMs, dueMs);
  }

  #arrived(bits: number, { fromMs, untilMs, rttMs }: Stretch): void {
    this.#timeOuts = 0;
    this.#round.hasDelivered = true;
    this.#deliveredMs = untilMs;
    for (const hole of this.#holes) {
      const whenMs = (packets: number): number | null => {
        const missingBits = packets * this.#packetBits - hole.laterBits;
        return missingBits > 0 && missingBits <= bits + 1e-6
          ? fromMs + ((untilMs - fromMs) * missingBits) / bits
          : null;
      };
      const [first, third] = [whenMs(1), whenMs(DUPLICATES)];
      if (first !== null && !hole.isReported) {
        hole.dueMs = Math.max(first + rttMs, hole.lostAtMs + REORDERING[this.#kind] * rttMs);
        hole.isReported = true;
      }
      if (third !== null) hole.dueMs = Math.min(hole.dueMs, third + rttMs);
      hole.laterBits += bits;
    }
  }
}
