/** What the sender plays: packets over a path that is never the bottleneck, each lost by itself or in bursts. */
export interface PacketPath {
  readonly controller: 'reno' | 'cubic';
  readonly lossShare: number;
  /** After a packet that was lost; absent: `lossShare`, which is the probability after one that was not. */
  readonly lossAgain?: number;
  readonly rttMs: number;
  readonly random: () => number;
}

interface Sent {
  readonly atMs: number;
  laterAcknowledged: number;
}

const C = 0.4;
const MIN_RTO_MS = 200;

/**
 * A sender of TCP with selective acknowledgements, packet by packet and acknowledgement by acknowledgement, as the RFCs have
 * it (5681, 6675 with RFC 8985's quarter of a round trip, 9438): what the player model computes in rounds is held against it.
 */
class PacketSender {
  #nowMs = 0;
  #next = 0;
  #isLost = false;
  #window = 10;
  #threshold = Infinity;
  /** Losses of packets before it have been answered. */
  #recovery = -1;
  #maxWindow = 0;
  #epoch: { readonly sinceMs: number; readonly kSeconds: number; readonly origin: number } | null = null;
  #friendly = 0;
  readonly #flight = new Map<number, Sent>();
  /** In order, because all have the same round trip. */
  readonly #acknowledgements: { readonly packet: number; readonly atMs: number }[] = [];
  readonly #path: PacketPath;

  constructor(path: PacketPath) {
    this.#path = path;
  }

  /** Packets sent in a round trip, on average. */
  meanWindow(rounds: number): number {
    const { rttMs } = this.#path;
    let answered = 0;
    this.#send();
    while (this.#nowMs < rounds * rttMs) {
      const next = this.#acknowledgements[answered];
      if (next === undefined) this.#timeOut();
      else {
        answered += 1;
        this.#nowMs = next.atMs;
        this.#acknowledged(next.packet);
      }
      this.#send();
    }
    return this.#next / (this.#nowMs / rttMs);
  }

  #send(): void {
    while (this.#flight.size + 1 <= this.#window) {
      this.#flight.set(this.#next, { atMs: this.#nowMs, laterAcknowledged: 0 });
      const { lossShare, lossAgain = lossShare } = this.#path;
      this.#isLost = this.#path.random() < (this.#isLost ? lossAgain : lossShare);
      if (!this.#isLost)
        this.#acknowledgements.push({ packet: this.#next, atMs: this.#nowMs + this.#path.rttMs });
      this.#next += 1;
    }
  }

  #acknowledged(packet: number): void {
    if (!this.#flight.delete(packet)) return;
    for (const [other, sent] of this.#flight) {
      if (other > packet) continue;
      sent.laterAcknowledged += 1;
      if (sent.laterAcknowledged < 3 && this.#nowMs < sent.atMs + 1.25 * this.#path.rttMs) continue;
      this.#flight.delete(other);
      if (other >= this.#recovery) this.#lose();
    }
    if (packet >= this.#recovery) this.#grow();
  }

  #timeOut(): void {
    this.#nowMs += this.#path.rttMs + MIN_RTO_MS;
    this.#flight.clear();
    this.#lose();
    this.#window = 1;
  }

  #lose(): void {
    const beta = this.#path.controller === 'reno' ? 0.5 : 0.7;
    const prior = this.#window;
    this.#maxWindow = prior < this.#maxWindow ? (prior * (1 + beta)) / 2 : prior;
    this.#window = this.#threshold = Math.max(2, beta * prior);
    this.#recovery = this.#next;
    this.#epoch = null;
  }

  #grow(): void {
    if (this.#window < this.#threshold) this.#window += 1;
    else if (this.#path.controller === 'reno') this.#window += 1 / this.#window;
    else this.#growCubic();
  }

  #growCubic(): void {
    const window = this.#window;
    if (this.#epoch === null) {
      this.#friendly = window;
      const [sinceMs, missing] = [this.#nowMs, Math.max(0, this.#maxWindow - window)];
      this.#epoch = { sinceMs, kSeconds: Math.cbrt(missing / C), origin: window + missing };
    }
    const { sinceMs, kSeconds, origin } = this.#epoch;
    const target = origin + C * ((this.#nowMs - sinceMs + this.#path.rttMs) / 1000 - kSeconds) ** 3;
    this.#friendly += 0.9 / 1.7 / window;
    // Linux' tcp_cubic.c follows both, the curve and Reno's line, by a part of the distance.
    const ahead = Math.max(Math.min(target, 1.5 * window), this.#friendly) - window;
    this.#window += Math.max(0, ahead) / window;
  }
}

/** The mean window in packets of a sender that always has something to send. */
export const meanWindowOfPackets = (path: PacketPath, rounds: number): number =>
  new PacketSender(path).meanWindow(rounds);
