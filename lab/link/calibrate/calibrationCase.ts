import type { Profile } from '../../../src/network/profile.ts';

/** One link to be measured: the same rate and loss both ways, one step that never changes. */
export interface CalibrationCase {
  readonly rateKbps: number;
  readonly rttMs: number;
  /** Share of lost packets, 0 to 1, each way. */
  readonly loss: number;
  readonly queuePackets: number;
}

/** Shortest queue that TCP's controllers keep from running empty, and that a millisecond's burst does not fill. */
const MIN_QUEUE_PACKETS = 30;

export function calibrationCase(rateKbps: number, rttMs: number, loss: number): CalibrationCase {
  const bdpPackets = (rateKbps * rttMs) / (1500 * 8);
  return { rateKbps, rttMs, loss, queuePackets: Math.max(MIN_QUEUE_PACKETS, Math.round(2 * bdpPackets)) };
}

export const caseName = ({ rateKbps, rttMs, loss }: CalibrationCase): string =>
  `${rateKbps / 1000} Mbit/s, ${rttMs} ms, ${loss * 100} %`;

export function profileOf(asked: CalibrationCase): Profile {
  const { rateKbps, rttMs, loss, queuePackets } = asked;
  const both = { downKbps: rateKbps, upKbps: rateKbps, lossDown: loss, lossUp: loss };
  return {
    id: 'calibration',
    label: caseName(asked),
    paper: 'none: a link to be measured',
    steps: [{ durationMs: 3_600_000, rttMs, ...both }],
    repeat: false,
    queue: { kind: 'droptail', packets: queuePackets },
  };
}

/** Figures that were measured on one link, without a judgement. */
export interface Figures {
  readonly rttMs: readonly (number | null)[];
  readonly loss: BothWays<{ readonly sent: number; readonly lost: number }>;
  /** Rate of UDP in IP bits that comes through when 1.2 times the link's rate is sent. */
  readonly udpKbps: BothWays<number | null>;
  /** Median over the bursts of the count of packets that the queue holds. */
  readonly queuePackets: BothWays<number | null>;
  /** Rate of TCP towards the client, in IP bits, by controller. */
  readonly tcpKbps: Readonly<Record<string, number | null>>;
  /** Packets that Rattan or a receiver's socket lost because the machine was busy. */
  readonly machineDrops: number;
  /** Packets of the loss measurement that a queue had to hold at once, because the emulator stood still. */
  readonly heldBack: BothWays<number>;
}

export interface BothWays<T> {
  readonly down: T;
  readonly up: T;
}
