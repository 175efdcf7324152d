import type { RateTrace } from '../../network/rateTrace.ts';
import type { CongestionWindow, PathNow } from './congestionWindow.ts';

/** A body on its way. */
export interface Transfer {
  leftBits: number;
  readonly lane: Lane;
}

/** What carries bodies: a connection. */
export interface Lane {
  /** One body after the other, or all of them in equal parts. */
  readonly inOrder: boolean;
  /** null: it sends whatever the path takes. */
  readonly window: CongestionWindow | null;
  readonly transfers: Transfer[];
}

/**
 * The path that a trace describes, shared equally by all lanes that have something to send (processor sharing): with k lanes
 * each gets 1/k of the rate, while its window allows. Session time 0 is the start of the trace's first pass.
 */
export interface SharedLink {
  /** `lane` absent: one of its own. */
  start(bits: number, lane?: Lane): Transfer;
  stop(transfer: Transfer): void;
  /** Whether bits of it may come now. */
  isServed(transfer: Transfer): boolean;
  isDone(transfer: Transfer): boolean;
  /** When something changes by itself: a transfer ends, or a window allows more; Infinity when there is none. */
  nextMs(): number;
  advanceTo(atMs: number): void;
  /** Round-trip time now; null when the trace has none. */
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

/** `rttMs` is that of windows where the trace has none. */
export const createSharedLink = (trace: RateTrace, rttMs = 0): SharedLink => new TraceLink(trace, rttMs);

class TraceLink implements SharedLink {
  #nowMs = 0;
  /** Those with something to send. */
  readonly #lanes = new Set<Lane>();
  readonly #here: Place;
  readonly #trace: RateTrace;
  readonly #otherwiseMs: number;

  constructor(trace: RateTrace, rttMs: number) {
    this.#trace = trace;
    this.#here = firstPlace(trace);
    this.#otherwiseMs = rttMs;
  }

  start(bits: number, lane: Lane = { inOrder: true, window: null, transfers: [] }): Transfer {
    const transfer = { leftBits: bits, lane };
    this.#lanes.add(lane);
    if (lane.transfers.length === 0) lane.window?.wake(this.#path(), bits);
    lane.transfers.push(transfer);
    return transfer;
  }

  stop(transfer: Transfer): void {
    const { lane } = transfer;
    lane.transfers.splice(lane.transfers.indexOf(transfer), 1);
    if (lane.transfers.length > 0) return;
    this.#lanes.delete(lane);
    lane.window?.rest(this.#nowMs);
  }

  isServed(transfer: Transfer): boolean {
    return servedOf(transfer.lane).includes(transfer);
  }

  isDone({ leftBits }: Transfer): boolean {
    return this.#isNothing(leftBits);
  }

  nextMs(): number {
    let [minBits, turnMs, going] = [Infinity, Infinity, 0];
    for (const lane of this.#lanes) {
      const served = servedOf(lane);
      if (served.some((transfer) => this.isDone(transfer))) return this.#nowMs;
      if (this.#mayGo(lane)) {
        going += 1;
        minBits = Math.min(minBits, untilChange(lane, served));
      } else turnMs = Math.min(turnMs, lane.window!.roundEndsMs);
    }
    const waitMs = Math.max(this.#nowMs, turnMs);
    if (minBits === Infinity) return waitMs;
    return Math.min(whenServed(this.#trace, this.#here, this.#nowMs, minBits * going), waitMs);
  }

  advanceTo(atMs: number): void {
    const going = [...this.#lanes].filter((lane) => this.#mayGo(lane));
    while (this.#nowMs < atMs) {
      const untilMs = Math.min(atMs, this.#here.endsMs);
      const share = ((untilMs - this.#nowMs) * this.#rateKbps()) / going.length;
      for (const lane of going) serve(lane, share);
      this.#nowMs = untilMs;
      if (this.#nowMs >= this.#here.endsMs) goOn(this.#trace, this.#here);
    }
    for (const { window } of this.#lanes)
      if (window && this.#isNothing(window.leftBits) && window.roundEndsMs <= this.#nowMs)
        window.turn(this.#path());
  }

  rttMs(): number | null {
    return this.#trace.rttMs?.[this.#here.piece] ?? null;
  }

  #rateKbps(): number {
    return this.#trace.rateKbps[this.#here.piece]!;
  }

  #isNothing(bits: number): boolean {
    return bits <= Math.max(NOTHING_BITS, this.#rateKbps() * NANOSECOND);
  }

  #mayGo({ window }: Lane): boolean {
    return window === null || !this.#isNothing(window.leftBits);
  }

  #path(): PathNow {
    return {
      nowMs: this.#nowMs,
      rttMs: this.rttMs() ?? this.#otherwiseMs,
      rateKbps: this.#rateKbps() / this.#lanes.size,
    };
  }
}

const servedOf = ({ inOrder, transfers }: Lane): readonly Transfer[] =>
  inOrder ? transfers.slice(0, 1) : transfers;

/** Bits that the lane carries until a transfer of it ends or its window is used up. */
const untilChange = ({ window }: Lane, served: readonly Transfer[]): number =>
  Math.min(served.length * Math.min(...served.map(({ leftBits }) => leftBits)), window?.leftBits ?? Infinity);

function serve(lane: Lane, bits: number): void {
  const served = servedOf(lane);
  for (const transfer of served) transfer.leftBits -= bits / served.length;
  if (lane.window) lane.window.leftBits -= bits;
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
