import {
  type CongestionAvoidance,
  CubicAvoidance,
  emulatingCubic,
  LINUX_CUBIC,
  QUINN_CUBIC,
  renoAvoidance,
} from './congestionAvoidance.ts';

/** How a sender shares a path with its queue; a laboratory knows it, a recorded trace does not. */
export interface SenderSettings {
  /** First window, in packets. */
  readonly initialPackets: number;
  /** Queue of the bottleneck: what comes when it is full is lost. */
  readonly queuePackets: number;
  /** Seed of the random losses of the path; absent: none of its packets is lost but in the queue. */
  readonly lossSeed?: number;
  /** Settings of the instrumented origin; absent: Caddy, whose TCP and QUIC send by Reno. */
  readonly instrumented?: InstrumentedSender;
}

/** The instrumented origin: the kernel's TCP, and quinn. */
export interface InstrumentedSender {
  readonly controller: 'reno' | 'cubic';
  /** QUIC's Cubic takes the share of so many connections; null: of one, as usual. */
  readonly emulatedConnections: number | null;
  /** Whether TCP is paced; QUIC is. */
  readonly tcpPacing: boolean;
  /** `16k`: over TCP the first byte of a body can be used when 16 KiB of it have come. */
  readonly tlsRecords: 'dynamic' | '16k';
}

export type TransportKind = 'tcp' | 'quic';

/** Size of a packet: 1500 bytes. */
export const PACKET_BITS = 12_000;
/** IPv4 and UDP, and around them the datagrams of quinn after path MTU discovery (1452) and before it (RFC 9000 §14). */
const UDP_BYTES = 28;
const QUINN_PACKET_BITS = (1452 + UDP_BYTES) * 8;
const QUINN_FIRST_BITS = (1200 + UDP_BYTES) * 8;
/** Smallest window, in packets (RFC 5681 §3.1, RFC 9002 §7.2). */
const MIN_PACKETS = 2;
/** Least variance term of Linux' retransmission time-out (TCP_RTO_MIN); after such a pause a window is not trusted any more. */
export const RTO_MIN_MS = 200;

/** How one transport of an origin sends. */
interface Sending {
  readonly packetBits: number;
  readonly initialBits: number;
  /** Whether the sender does not let its whole window go at once. */
  readonly paces: boolean;
  /** Pace of the sender; null: not paced, or not in this model. */
  readonly pacing: Pacing | null;
  /** Whether a pause lowers the window (tcp_cwnd_restart() in Linux' tcp_output.c). */
  readonly forgets: boolean;
  /** Whether slow start ends when the queue begins to fill (HyStart, RFC 9406). */
  readonly hasHyStart: boolean;
  readonly avoidance: CongestionAvoidance;
  readonly acks: Acknowledging;
}

/** Conditions for an acknowledgement: after so many packets, or so long after the first of them. */
interface Acknowledging {
  readonly packets: number;
  readonly maxMs: number;
  /** Limit of the time after the first packet, as a share of the round-trip time. */
  readonly maxRtts: number;
}

/** Acknowledgements of TCP: RFC 5681 §4.2 with Linux' least delay (TCP_DELACK_MIN). */
const TCP_ACKS: Acknowledging = { packets: 2, maxMs: 40, maxRtts: Infinity };
/** Chromium: QUICHE's quic_constants.h and quic_received_packet_manager.cc (kAckDecimationDelay), max_ack_delay of RFC 9000 §18.2. */
const QUIC_ACKS: Acknowledging = { packets: 10, maxMs: 25, maxRtts: 0.25 };

/** What a pacer lets go: a burst at once, the rest of a round at so many windows a round-trip time. */
interface Pacing {
  readonly slowStart: number;
  readonly after: number;
  readonly burstPackets: number;
  /** Number of packets that leave together, one right behind the other. */
  readonly togetherPackets: number;
}

/** Linux' sk_pacing_rate: net.ipv4.tcp_pacing_ss_ratio, tcp_pacing_ca_ratio and tcp_min_tso_segs. */
const LINUX_PACING: Pacing = { slowStart: 2, after: 1.2, burstPackets: 0, togetherPackets: 2 };
/** quinn-proto, connection/pacing.rs (MIN_BURST_SIZE). */
const QUINN_PACING: Pacing = { slowStart: 1.25, after: 1.25, burstPackets: 10, togetherPackets: 1 };

function sendingOf({ initialPackets, instrumented }: SenderSettings, kind: TransportKind): Sending {
  const usual = {
    packetBits: PACKET_BITS,
    initialBits: initialPackets * PACKET_BITS,
    forgets: true,
    acks: kind === 'tcp' ? TCP_ACKS : QUIC_ACKS,
  };
  if (!instrumented) {
    // TCP halves (RFC 5681 §3.1), quic-go keeps 0.7 (its cubic_sender.go) and paces.
    const avoidance = renoAvoidance(kind === 'tcp' ? 0.5 : 0.7, PACKET_BITS);
    return { ...usual, paces: kind === 'quic', pacing: null, hasHyStart: false, avoidance };
  }
  const { controller, tcpPacing } = instrumented;
  if (kind === 'quic')
    return {
      ...usual,
      packetBits: QUINN_PACKET_BITS,
      initialBits: initialPackets * QUINN_FIRST_BITS,
      paces: true,
      pacing: QUINN_PACING,
      forgets: false,
      hasHyStart: false,
      avoidance: quinnAvoidance(instrumented),
    };
  const isCubic = controller === 'cubic';
  const avoidance = isCubic ? new CubicAvoidance(LINUX_CUBIC, PACKET_BITS) : renoAvoidance(0.5, PACKET_BITS);
  const pacing = tcpPacing ? LINUX_PACING : null;
  return { ...usual, paces: tcpPacing, pacing, hasHyStart: isCubic, avoidance };
}

function quinnAvoidance({ controller, emulatedConnections }: InstrumentedSender): CongestionAvoidance {
  if (controller === 'reno') return renoAvoidance(0.5, QUINN_PACKET_BITS);
  const kind = emulatedConnections === null ? QUINN_CUBIC : emulatingCubic(emulatedConnections);
  return new CubicAvoidance(kind, QUINN_PACKET_BITS);
}

/** The path as it is now, for one connection. */
export interface PathNow {
  readonly nowMs: number;
  readonly rttMs: number;
  /** The connection's share of the rate. */
  readonly rateKbps: number;
  /** With other connections that send: the whole rate, and what these have in flight. Absent: it is alone. */
  readonly shared?: { readonly kbps: number; readonly othersBits: number };
  /** A queue of its own in front of the bottleneck's, if that is shorter. */
  readonly queueBits?: number;
}

/** Returns the time that the bottleneck needs for so many bits, ms; 0 in an outage. */
const packetMs = ({ rateKbps, shared }: PathNow, bits: number): number => {
  const kbps = shared?.kbps ?? rateKbps;
  return kbps > 0 ? bits / kbps : 0;
};

/**
 * A window (RFC 5681) in rounds of a round-trip time: so much may be sent in a round, and the next one begins when the
 * first packet of this one is acknowledged. A window larger than the path's bandwidth-delay product never waits.
 *
 *     round     ├ window ┤ wait ├ 2 × window ┤├ … until more is in flight than path and queue hold: window × β, then growth
 *
 * Beyond slow start a receiver waits for some packets before it acknowledges, and so does the next round.
 *
 * After a pause a sender that does not pace lets its whole window go at once: what the queue does not hold is lost. Beside
 * other connections it loses what they leave no room for in path and queue: a queue that one keeps full drops the packets of
 * all.
 * Random losses come from `LossRecovery`, which says when the sender knows of them.
 */
export class CongestionWindow {
  /** What may still be sent in this round. */
  leftBits = 0;
  roundEndsMs = 0;
  #bits: number;
  #thresholdBits = Infinity;
  #hasLost = false;
  #roundBits = 0;
  #restedMs = 0;
  /** Losses of what was sent before are known. */
  #recoveryMs = -Infinity;
  readonly #queueBits: number;
  /** Windows count whole packets. Only with losses: without them the path is full, and a part of a packet is nothing. */
  readonly #isWhole: boolean;
  readonly #sending: Sending;

  constructor(settings: SenderSettings, kind: TransportKind) {
    this.#sending = sendingOf(settings, kind);
    this.#bits = this.#sending.initialBits;
    this.#queueBits = settings.queuePackets * PACKET_BITS;
    this.#isWhole = settings.lossSeed !== undefined;
  }

  get packetBits(): number {
    return this.#sending.packetBits;
  }

  /** There is something to send after there was nothing. True: a round begins with it. */
  wake(path: PathNow, dataBits: number): boolean {
    const { nowMs, rttMs } = path;
    this.#sending.avoidance.paused(nowMs - this.#restedMs);
    if (nowMs < this.roundEndsMs) return false;
    if (this.#sending.forgets) this.#forget(nowMs - this.#restedMs, rttMs + RTO_MIN_MS);
    this.#begin(path, { ackMs: this.#ackDelayMs(path) });
    const sentBits = Math.min(this.#bits, dataBits);
    const queueBits = this.#queueBitsOf(path);
    const isTooMuch = !this.#sending.paces && sentBits > queueBits + PACKET_BITS;
    if (isTooMuch) this.leftBits = queueBits + PACKET_BITS;
    if (isTooMuch || (path.shared && sentBits > this.#maxInFlightBits(path))) {
      this.#lose(this.#bits, { nowMs, rttMs });
      this.#hasLost = true;
    }
    return true;
  }

  /** What path and queue hold of this connection. */
  #maxInFlightBits(path: PathNow): number {
    const { rateKbps, rttMs, shared } = path;
    const queueBits = this.#queueBitsOf(path);
    if (!shared) return rateKbps * rttMs + queueBits;
    return Math.max(PACKET_BITS, shared.kbps * rttMs + queueBits - shared.othersBits);
  }

  #queueBitsOf({ queueBits = Infinity }: PathNow): number {
    return Math.min(this.#queueBits, queueBits);
  }

  /** Size of the whole window, in bits. */
  get bits(): number {
    return this.#bits;
  }

  /** Notes that there is nothing more to send. */
  rest(nowMs: number): void {
    this.#restedMs = nowMs;
  }

  /**
   * The round is over and used up: the next one. Of it, `share` was acknowledged before the sender knew of a loss, and
   * `lostBits` are lost and still count as in flight.
   */
  turn(path: PathNow, { share = 1, lostBits = 0 } = {}): void {
    const maxBits = this.#maxInFlightBits(path);
    if (this.#hasLost) this.#hasLost = false;
    else if (this.#bits > maxBits) this.#lose(maxBits, path);
    else this.#grow(path, share);
    // What is missing is reported at once (RFC 5681 §4.2, RFC 9000 §13.2.1).
    const ackMs = lostBits > 0 ? 0 : this.#ackDelayMs(path);
    this.#begin(path, { bits: Math.max(0, this.#bits - lostBits), ackMs });
  }

  get isPaced(): boolean {
    return this.#sending.pacing !== null;
  }

  /** What a pacer lets go at once in this round; 0 when that is gone, or without a pacer. */
  get burstLeftBits(): number {
    const burstBits = (this.#sending.pacing?.burstPackets ?? 0) * this.packetBits;
    return Math.max(0, burstBits - (this.#roundBits - this.leftBits));
  }

  /** A pacer's rate after the burst; Infinity without a pacer. */
  paceKbps(rttMs: number): number {
    const { pacing } = this.#sending;
    if (pacing === null || rttMs <= 0) return Infinity;
    const ratio = this.#bits < this.#thresholdBits / 2 ? pacing.slowStart : pacing.after;
    return (ratio * this.#bits) / rttMs;
  }

  /**
   * The sender learns that a packet is lost. Of all packets that were sent before it learned of the first, one lowers the
   * window (RFC 6675 §5, RFC 9002 §7.3.1). What is left of this round is lowered with it (RFC 6937).
   */
  detectLoss(lostAtMs: number, now: PathNow): void {
    if (lostAtMs < this.#recoveryMs) return;
    this.#recoveryMs = now.nowMs;
    const priorBits = this.#bits;
    this.#lose(priorBits, now);
    this.#allow(this.leftBits * Math.min(1, this.#bits / priorBits) - this.leftBits);
  }

  /** A packet that was lost is no longer in flight, and is sent again: in this round, or in one of its own. */
  repeat(bits: number, path: PathNow): { readonly isNewRound: boolean } {
    const isNewRound = this.leftBits < 1 && this.roundEndsMs <= path.nowMs;
    if (isNewRound) this.#begin(path, { bits });
    else this.#allow(bits);
    return { isNewRound };
  }

  /** A retransmission time-out (RFC 5681 §3.1, to 1 packet), or persistent congestion (RFC 9002 §7.6.2, to 2). */
  collapse(packets: number): void {
    this.#bits = packets * this.packetBits;
    this.#allow(-this.leftBits);
  }

  #grow(path: PathNow, share: number): void {
    const { avoidance, hasHyStart } = this.#sending;
    if (hasHyStart && this.#isQueueing(path)) this.#thresholdBits = Math.min(this.#thresholdBits, this.#bits);
    if (this.#bits < this.#thresholdBits)
      this.#bits = Math.min((1 + share) * this.#bits, this.#thresholdBits);
    else this.#bits = avoidance.grown(this.#bits, path, share);
  }

  /** HyStart's sign of a queue: an eighth of the round-trip time, 4 to 16 ms, in windows of 16 packets or more. */
  #isQueueing({ rateKbps, rttMs }: PathNow): boolean {
    const thresholdMs = Math.min(16, Math.max(4, rttMs / 8));
    return this.#bits >= 16 * PACKET_BITS && this.#bits > rateKbps * (rttMs + thresholdMs);
  }

  /** It ends when its first packet is acknowledged, which has to cross the bottleneck as a whole first. */
  #begin(path: PathNow, { bits = this.#bits, ackMs = 0 }: { bits?: number; ackMs?: number } = {}): void {
    this.leftBits = this.#roundBits = this.#isWhole ? this.#wholeBits(bits) : bits;
    this.roundEndsMs = path.nowMs + path.rttMs + packetMs(path, Math.min(this.packetBits, bits)) + ackMs;
  }

  /** How long the first packet of a round waits for those that are acknowledged with it: as they are paced, or as they come. */
  #ackDelayMs(path: PathNow): number {
    if (this.#bits < this.#thresholdBits) return 0;
    const { acks, pacing } = this.#sending;
    const { packets, maxMs, maxRtts } = acks;
    const { rttMs } = path;
    const arrivedMs = (packets - 1) * packetMs(path, this.packetBits);
    const pacedMs =
      ((packets - (pacing?.togetherPackets ?? packets)) * this.packetBits) / this.paceKbps(rttMs);
    return Math.min(maxMs, maxRtts * rttMs, Math.max(arrivedMs, pacedMs));
  }

  /** A packet is sent if all of it fits into the window. */
  #wholeBits(bits: number): number {
    return Math.floor(bits / this.packetBits + 1e-9) * this.packetBits;
  }

  #allow(bits: number): void {
    this.leftBits += bits;
    this.#roundBits += bits;
  }

  #lose(inFlightBits: number, now: { readonly nowMs: number; readonly rttMs: number }): void {
    const { avoidance } = this.#sending;
    this.#bits = this.#thresholdBits = Math.max(MIN_PACKETS * this.packetBits, avoidance.beta * inFlightBits);
    avoidance.lost(inFlightBits, this.#bits, now);
  }

  /** Halved for each time-out of a pause, down to the first window (tcp_cwnd_restart() in Linux' tcp_output.c). */
  #forget(pausedMs: number, timeOutMs: number): void {
    const halvings = Math.floor(pausedMs / timeOutMs);
    const min = Math.min(this.#bits, this.#sending.initialBits);
    if (halvings > 0) this.#bits = Math.max(min, this.#bits / 2 ** Math.min(halvings, 30));
  }
}
