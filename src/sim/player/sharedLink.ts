import type { RateTrace } from '../../network/rateTrace.ts';

/** A body on its way. */
export interface Transfer {
  leftBits: number;
  readonly line: object;
}

/**
 * The path that a trace describes, shared equally by all lines on it (processor sharing): with k lines each gets 1/k of the
 * rate. In a line the first body goes, the others wait. Session time 0 is the start of the trace's first pass. Slow start
 * is not modelled.
 */
export interface SharedLink {
  /** `line` absent: one of its own. */
  start(bits: number, line?: object): Transfer;
  stop(transfer: Transfer): void;
  /** Whether it is the first of its line. */
  isServed(transfer: Transfer): boolean;
  isDone(transfer: Transfer): boolean;
  /** When the next transfer ends if nothing else changes; Infinity when there is none. */
  nextMs(): number;
  advanceTo(atMs: number): void;
  /** Round-trip time now; null when the trace does not tell. */
  rttMs(): number | null;
}

/** A place in the endlessly repeated trace: a piece, and when it ends on the session's clock. */
interface Place {
  piece: number;
  endsMs: number;
}

/** What is left when a transfer counts as complete: what a nanosecond brings, and at least this; it is rounding. */
const NOTHING_BITS = 1e-3;
const NANOSECOND = 1e-6;

export function createSharedLink(trace: RateTrace): SharedLink {
  const transfers = new Set<Transfer>();
  const here = firstPlace(trace);
  let nowMs = 0;
  const served = (): Transfer[] => firstOfEach(transfers);
  const rateNow = (): number => trace.rateKbps[here.piece]!;
  const isDone = ({ leftBits }: Transfer): boolean =>
    leftBits <= Math.max(NOTHING_BITS, rateNow() * NANOSECOND);
  return {
    start(bits, line = {}) {
      const transfer = { leftBits: bits, line };
      transfers.add(transfer);
      return transfer;
    },
    stop: (transfer) => void transfers.delete(transfer),
    isServed: (transfer) => served().includes(transfer),
    isDone,
    nextMs() {
      let least = Infinity;
      const going = served();
      for (const transfer of going) {
        if (isDone(transfer)) return nowMs;
        least = Math.min(least, transfer.leftBits);
      }
      return least === Infinity ? Infinity : whenServed(trace, here, nowMs, least * going.length);
    },
    advanceTo(atMs) {
      const going = served();
      while (nowMs < atMs) {
        const untilMs = Math.min(atMs, here.endsMs);
        const share = ((untilMs - nowMs) * rateNow()) / going.length;
        for (const transfer of going) transfer.leftBits -= share;
        nowMs = untilMs;
        if (nowMs >= here.endsMs) goOn(trace, here);
      }
    },
    rttMs: () => trace.rttMs?.[here.piece] ?? null,
  };
}

function firstOfEach(transfers: ReadonlySet<Transfer>): Transfer[] {
  const first: Transfer[] = [];
  for (const transfer of transfers)
    if (!first.some(({ line }) => line === transfer.line)) first.push(transfer);
  return first;
}

function firstPlace(trace: RateTrace): Place {
  const place = { piece: 0, endsMs: trace.endMs[0]! - trace.startMs };
  while (place.endsMs <= 0) goOn(trace, place);
  return place;
}

/** To the next piece; after the last one to the first, which then begins at the trace's zero. */
function goOn({ endMs }: RateTrace, place: Place): void {
  const last = place.piece === endMs.length - 1;
  const beginsMs = last ? 0 : endMs[place.piece]!;
  place.piece = last ? 0 : place.piece + 1;
  place.endsMs += endMs[place.piece]! - beginsMs;
}

/** When this many bits have come through from now on; kbit/s times ms is bits. */
function whenServed(trace: RateTrace, from: Place, nowMs: number, bits: number): number {
  const place = { ...from };
  let atMs = nowMs;
  let leftBits = bits;
  for (;;) {
    const rate = trace.rateKbps[place.piece]!;
    const pieceBits = (place.endsMs - atMs) * rate;
    if (rate > 0 && pieceBits >= leftBits) return atMs + leftBits / rate;
    leftBits -= pieceBits;
    atMs = place.endsMs;
    goOn(trace, place);
  }
}
