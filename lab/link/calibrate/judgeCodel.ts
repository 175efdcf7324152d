import { packetMsOf, type CodelCase } from './codelCase.ts';
import type { Hump } from './firstHump.ts';

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
