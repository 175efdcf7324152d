/** How a sender shares a path with its queue; a laboratory knows it, a recorded trace does not. */
export interface SenderSettings {
  /** First window. */
  readonly initialPackets: number;
  /** Of the bottleneck: what comes when it is full is lost. */
  readonly queuePackets: number;
}

/** A packet of 1500 bytes. */
const PACKET_BITS = 12_000;
/** RFC 5681 §3.1. */
const MIN_BITS = 2 * PACKET_BITS;
/** Least variance term of Linux' retransmission time-out (TCP_RTO_MIN); after such a pause a window is not trusted any more. */
const RTO_MIN_MS = 200;
/** TCP halves (RFC 5681 §3.1), quic-go keeps 0.7 (its cubic_sender.go) and paces. */
const SENDERS = { tcp: { beta: 0.5, paces: false }, quic: { beta: 0.7, paces: true } } as const;

/** The path as it is now, for one connection. */
export interface PathNow {
  readonly nowMs: number;
  readonly rttMs: number;
  /** Its share of the rate. */
  readonly rateKbps: number;
}

/**
 * Reno (RFC 5681) in rounds of a round-trip time: so much may be sent in a round, and the next one begins when the first
 * packet of this one is acknowledged. A window larger than the path's bandwidth-delay product never waits.
 *
 *     round     ├ window ┤ wait ├ 2 × window ┤├ … until more is in flight than path and queue hold: window × β, then + 1 a round
 *
 * After a pause a sender that does not pace lets its whole window go at once: what the queue does not hold is lost.
 */
export class CongestionWindow {
  /** What may still be sent in this round. */
  leftBits = 0;
  roundEndsMs = 0;
  #bits: number;
  #thresholdBits = Infinity;
  #hasLost = false;
  #restedMs = 0;
  readonly #initialBits: number;
  readonly #queueBits: number;
  readonly #sender;

  constructor({ initialPackets, queuePackets }: SenderSettings, kind: 'tcp' | 'quic') {
    this.#initialBits = this.#bits = initialPackets * PACKET_BITS;
    this.#queueBits = queuePackets * PACKET_BITS;
    this.#sender = SENDERS[kind];
  }

  /** There is something to send after there was nothing. */
  wake({ nowMs, rttMs }: PathNow, dataBits: number): void {
    if (nowMs < this.roundEndsMs) return;
    this.#forget(nowMs - this.#restedMs, rttMs + RTO_MIN_MS);
    this.#begin(nowMs, rttMs);
    const isTooMuch = Math.min(this.#bits, dataBits) > this.#queueBits + PACKET_BITS;
    if (this.#sender.paces || !isTooMuch) return;
    this.leftBits = this.#queueBits + PACKET_BITS;
    this.#lose(this.#bits);
    this.#hasLost = true;
  }

  /** There is nothing more to send. */
  rest(nowMs: number): void {
    this.#restedMs = nowMs;
  }

  /** The round is over and used up: the next one. */
  turn(path: PathNow): void {
    const maxBits = path.rateKbps * path.rttMs + this.#queueBits;
    if (this.#hasLost) this.#hasLost = false;
    else if (this.#bits > maxBits) this.#lose(maxBits);
    else if (this.#bits < this.#thresholdBits) this.#bits = Math.min(2 * this.#bits, this.#thresholdBits);
    else this.#bits += PACKET_BITS;
    this.#begin(path.nowMs, path.rttMs);
  }

  #begin(nowMs: number, rttMs: number): void {
    this.leftBits = this.#bits;
    this.roundEndsMs = nowMs + rttMs;
  }

  #lose(inFlightBits: number): void {
    this.#bits = this.#thresholdBits = Math.max(MIN_BITS, this.#sender.beta * inFlightBits);
  }

  /** Halved for each time-out of a pause, down to the first window (tcp_cwnd_restart() in Linux' tcp_output.c). */
  #forget(pausedMs: number, timeOutMs: number): void {
    const halvings = Math.floor(pausedMs / timeOutMs);
    const min = Math.min(this.#bits, this.#initialBits);
    if (halvings > 0) this.#bits = Math.max(min, this.#bits / 2 ** Math.min(halvings, 30));
  }
}
