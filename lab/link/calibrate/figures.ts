/** What was measured on one link; nothing is judged here. */
export interface Figures {
  readonly rttMs: readonly (number | null)[];
  readonly loss: BothWays<{ readonly sent: number; readonly lost: number }>;
  /** At 1.2 times the rate, IP bits. */
  readonly udpKbps: BothWays<number | null>;
  /** Of each burst, median. */
  readonly queuePackets: BothWays<number | null>;
  /** TCP towards the client, IP bits, by controller. */
  readonly tcpKbps: Readonly<Record<string, number | null>>;
  /** Lost by Rattan or by a receiver's socket because the machine was busy. */
  readonly machineDrops: number;
  /** Packets of the flow whose loss was counted that a queue had to hold at once, for the emulator stood still. */
  readonly heldBack: BothWays<number>;
}

export interface BothWays<T> {
  readonly down: T;
  readonly up: T;
}
