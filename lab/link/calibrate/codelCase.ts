import type { Profile } from '../../../src/network/profile.ts';
import { INTERVAL_MS, TARGET_MS } from './codelQueue.ts';

/** A link whose queue is managed by CoDel, and a steady load above its rate, both ways. */
export interface CodelCase {
  readonly rateKbps: number;
  readonly rttMs: number;
  /** Load, in multiples of the link's rate. */
  readonly load: number;
  readonly limitPackets: number;
  /** Length of the load, in ms. */
  readonly loadMs: number;
}

export const PACKET_BYTES = 1500;
/** Ratio of the load's length to the time that CoDel's law needs. */
const LASTING = 1.25;
/** Ratio of the queue's limit to the longest queue that CoDel's law allows: nothing is lost at the tail. */
const HEADROOM = 1.5;

/**
 * Makes a case by CoDel's law: drop k comes INTERVAL ÷ √k after the last, so after a time t there were (t ÷ 2 INTERVAL)².
 * With E packets too many a second the queue is E × t less that: at most (E × INTERVAL)², and gone after 4 × INTERVAL² × E.
 */
export function codelCase(rateKbps: number, rttMs: number, load: number): CodelCase {
  const tooManyPerMs = (load - 1) / packetMsOf({ rateKbps });
  const peakPackets = (tooManyPerMs * INTERVAL_MS) ** 2;
  const goneAfterMs = 4 * INTERVAL_MS ** 2 * tooManyPerMs;
  return {
    rateKbps,
    rttMs,
    load,
    limitPackets: Math.ceil(HEADROOM * peakPackets),
    loadMs: Math.ceil(LASTING * goneAfterMs),
  };
}

export const packetMsOf = ({ rateKbps }: Pick<CodelCase, 'rateKbps'>): number =>
  (PACKET_BYTES * 8) / rateKbps;

export const codelCaseName = ({ rateKbps, rttMs, load }: CodelCase): string =>
  `${rateKbps / 1000} Mbit/s, ${rttMs} ms, load ${load}`;

/** Returns the profile of a case's link, with a queue of either kind; both kinds have one length. */
export function codelProfile(asked: CodelCase, kind: 'droptail' | 'codel'): Profile {
  const { rateKbps, rttMs, limitPackets } = asked;
  const both = { downKbps: rateKbps, upKbps: rateKbps, lossDown: 0, lossUp: 0 };
  return {
    id: 'calibration',
    label: `${codelCaseName(asked)}, ${kind}`,
    paper: 'none: a link to be measured',
    steps: [{ durationMs: 3_600_000, rttMs, ...both }],
    repeat: false,
    queue: { kind, packets: limitPackets },
  };
}

/** Figures that were measured in one direction of a case, without a judgement. */
export interface CodelFigures {
  /** Median wait in a full queue that drops at its tail, in ms; null when too little came. */
  readonly tailWaitMs: number | null;
  /** Rise and fall of the queue that were measured on the link with CoDel. */
  readonly hump: Hump;
  /** Rise and fall of the queue that CoDel's law gives for the packets that were really sent, at the times they were sent. */
  readonly expected: Hump;
}

/** Comparison of one figure with what CoDel should do. */
export interface CodelVerdict {
  readonly quantity: 'tail-wait' | 'peak' | 'back' | 'drops';
  readonly unit: 'ms' | 'packets';
  readonly asked: number | null;
  readonly measured: number | null;
  readonly within: boolean;
}

/**
 * A rate that is off by 0.5 % is a load that is too high by 3 % at 1.2 times the rate, which changes the peak and the drops by
 * 6 % and the time by 3 %, all in proportion to the load's excess or its square; the rest is for turns that the emulator gets late.
 */
const TOLERANCE = 0.1;
/** Tolerance in packets for one late turn of the emulator. */
const TOLERANCE_PACKETS = 2;
const WAY_TOLERANCE_MS = 3;

export function judgeCodel(asked: CodelCase, { tailWaitMs, hump, expected }: CodelFigures): CodelVerdict[] {
  const packetMs = packetMsOf(asked);
  const fullMs = asked.limitPackets * packetMs;
  const spare = TOLERANCE_PACKETS * packetMs + WAY_TOLERANCE_MS;
  const of = (value: number | null): number => TOLERANCE * (value ?? 0);
  return [
    verdict('tail-wait', [fullMs, tailWaitMs], spare),
    verdict('peak', [expected.peakMs, hump.peakMs], of(expected.peakMs) + spare),
    verdict('back', [expected.backAfterMs, hump.backAfterMs], of(expected.backAfterMs)),
    verdict('drops', [expected.drops, hump.drops], of(expected.drops) + TOLERANCE_PACKETS),
  ];
}

function verdict(
  quantity: CodelVerdict['quantity'],
  [asked, measured]: readonly [number | null, number | null],
  spare: number,
): CodelVerdict {
  const within = asked !== null && measured !== null && Math.abs(measured - asked) <= spare;
  return { quantity, unit: quantity === 'drops' ? 'packets' : 'ms', asked, measured, within };
}

/** Rise and fall of a queue when a load above its link's rate begins: it grows, and under CoDel it falls again. */
interface Hump {
  /** The longest wait before the fall is over. */
  readonly peakMs: number;
  /** Time from the first packet to the sending of the first packet that hardly waits any more; null: the queue never falls. */
  readonly backAfterMs: number | null;
  /** Packets, of those sent until the queue has fallen, that never arrived. */
  readonly drops: number;
}

/** Smallest ratio of the peak to the target: a queue with a lower peak has no hump. */
const MIN_PEAK = 4;

/**
 * Finds a queue's first rise and fall. `sentAtMs` by number, ascending; `waitedMs` by number, null for a lost packet. A
 * packet hardly waits when it waits no longer than the target and one transmission.
 */
export function firstHump(
  sentAtMs: readonly number[],
  waitedMs: readonly (number | null)[],
  packetMs: number,
): Hump {
  const hardlyMs = TARGET_MS + packetMs;
  let peakMs = 0;
  let drops = 0;
  for (const [number, waited] of waitedMs.entries()) {
    if (waited === null) drops += 1;
    else if (waited <= hardlyMs && peakMs >= MIN_PEAK * hardlyMs)
      return { peakMs, backAfterMs: sentAtMs[number]! - sentAtMs[0]!, drops };
    else peakMs = Math.max(peakMs, waited);
  }
  return { peakMs, backAfterMs: null, drops };
}
