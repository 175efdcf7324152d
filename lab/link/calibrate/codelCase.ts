import type { Profile } from '../../../src/network/profile.ts';
import { INTERVAL_MS, TARGET_MS } from './codelQueue.ts';

/** A link whose queue is managed by CoDel, and a steady load above its rate, both ways. */
export interface CodelCase {
  readonly rateKbps: number;
  readonly rttMs: number;
  /** Times the rate. */
  readonly load: number;
  readonly limitPackets: number;
  /** How long the load lasts. */
  readonly loadMs: number;
}

export const PACKET_BYTES = 1500;
/** A load lasts so much longer than CoDel's law needs. */
const LASTING = 1.25;
/** The queue's limit, in highest queues that the law allows: nothing is lost at the tail. */
const HEADROOM = 1.5;

/**
 * The law: the k-th drop comes INTERVAL ÷ √k after the one before, so that after a time t there were (t ÷ 2 INTERVAL)².
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

/** The link of a case, with either queue of the same length. */
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

/** What was measured one way of a case; nothing is judged here. */
export interface CodelFigures {
  /** Median wait in a full queue that drops at its tail, in ms; null when too little came. */
  readonly tailWaitMs: number | null;
  /** Of the link with CoDel. */
  readonly hump: Hump;
  /** Of CoDel on paper, with the packets that were really sent, when they were. */
  readonly expected: Hump;
}

/** One figure against what CoDel ought to do. */
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
/** What one late turn is worth. */
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

/** What a queue does when a load above its link's rate sets in: it grows, and under CoDel it falls again. */
interface Hump {
  /** The longest wait before the fall is over. */
  readonly peakMs: number;
  /** From the first packet on, when the first packet is sent that hardly waits any more; null: it never falls. */
  readonly backAfterMs: number | null;
  /** Packets that never came of those sent until then. */
  readonly drops: number;
}

/** A queue that never was so many times above the target has no hump. */
const MIN_PEAK = 4;

/**
 * Finds the first rise and fall. `sentAtMs` by number, ascending; `waitedMs` by number, null for those that never came. A
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
