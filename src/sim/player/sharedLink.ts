import type { RateTrace } from '../../network/rateTrace.ts';
import type { PathNow } from './congestionWindow.ts';
import {
  isDone,
  isServed,
  type Lane,
  maxKbps,
  mayGo,
  repair,
  serve,
  servedOf,
  type Transfer,
  turn,
  turnMs,
  untilChange,
} from './lane.ts';

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
  /** Share of packets that are lost now, 0 to 1. */
  lossShare(direction: 'down' | 'up'): number;
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

  start(bits: number, lane: Lane = { inOrder: true, window: null, recovery: null, transfers: [] }): Transfer {
    const transfer = { bits, leftBits: bits, lostBits: 0, lane };
    this.#lanes.add(lane);
    if (lane.transfers.length === 0 && lane.window?.wake(this.#path(lane), bits)) lane.recovery?.endRound();
    lane.transfers.push(transfer);
    return transfer;
  }

  stop(transfer: Transfer): void {
    const { lane } = transfer;
    lane.transfers.splice(lane.transfers.indexOf(transfer), 1);
    lane.recovery?.drop(transfer);
    if (lane.transfers.length > 0) return;
    this.#lanes.delete(lane);
    lane.window?.rest(this.#nowMs);
  }

  isServed(transfer: Transfer): boolean {
    return isServed(transfer, this.#nothingBits());
  }

  isDone(transfer: Transfer): boolean {
    return isDone(transfer, this.#nothingBits());
  }

  nextMs(): number {
    let nextMs = Infinity;
    const nothingBits = this.#nothingBits();
    for (const lane of this.#lanes) {
      const ending = lane.recovery ? lane.transfers : servedOf(lane, nothingBits);
      if (ending.some((transfer) => isDone(transfer, nothingBits))) return this.#nowMs;
      nextMs = Math.min(nextMs, turnMs(lane, nothingBits), lane.recovery?.dueMs ?? Infinity);
    }
    return Math.min(Math.max(this.#nowMs, nextMs), this.#servedMs());
  }

  advanceTo(atMs: number): void {
    const going = this.#going();
    while (this.#nowMs < atMs) {
      const untilMs = Math.min(atMs, this.#here.endsMs);
      const stretch = { fromMs: this.#nowMs, untilMs, rttMs: this.#path().rttMs };
      const speeds = this.#speeds(going, untilMs - this.#nowMs);
      going.forEach((lane, index) => serve(lane, speeds[index]!, stretch, this.#laneNow()));
      this.#nowMs = untilMs;
      if (this.#nowMs >= this.#here.endsMs) goOn(this.#trace, this.#here);
    }
    const nothingBits = this.#nothingBits();
    for (const lane of this.#lanes) {
      const path = this.#path(lane);
      repair(lane, path);
      turn(lane, path, nothingBits);
    }
  }

  rttMs(): number | null {
    return this.#trace.rttMs?.[this.#here.piece] ?? null;
  }

  lossShare(direction: 'down' | 'up'): number {
    const shares = direction === 'down' ? this.#trace.lossDown : this.#trace.lossUp;
    return shares?.[this.#here.piece] ?? 0;
  }

  /** When a lane has carried what it can before something about it changes. */
  #servedMs(): number {
    const going = this.#going();
    if (going.length === 0) return Infinity;
    const bits = going.map((lane) => untilChange(lane, this.#laneNow()));
    if (!going.some(({ window, recovery }) => recovery !== null || window?.isPaced))
      return whenServed(this.#trace, this.#here, this.#nowMs, Math.min(...bits) * going.length);
    // What paces or loses is looked at again where rate, round-trip time and loss change.
    const speeds = this.#speeds(going, 1);
    const waits = bits.map((each, index) => (speeds[index]! > 0 ? each / speeds[index]! : Infinity));
    return Math.min(this.#nowMs + Math.min(...waits), this.#here.endsMs);
  }

  /** Bits that each lane carries in so many ms: equal parts, except for those that send less by themselves. */
  #speeds(going: readonly Lane[], ms: number): readonly number[] {
    const rateKbps = this.#rateKbps();
    const { rttMs } = this.#path();
    const limits = going.map((lane) => maxKbps(lane, rttMs, this.#nothingBits()));
    const speeds = going.map(() => (ms * rateKbps) / going.length);
    if (limits.every((limit) => limit * going.length >= rateKbps)) return speeds;
    let [leftKbps, lanes] = [rateKbps, going.length];
    for (const index of [...limits.keys()].sort((one, other) => limits[one]! - limits[other]!)) {
      const kbps = Math.min(limits[index]!, leftKbps / lanes);
      speeds[index] = ms * kbps;
      [leftKbps, lanes] = [leftKbps - kbps, lanes - 1];
    }
    return speeds;
  }

  #going(): readonly Lane[] {
    const nothingBits = this.#nothingBits();
    return [...this.#lanes].filter((lane) => mayGo(lane, nothingBits));
  }

  #laneNow() {
    return { lossShare: this.lossShare('down'), nothingBits: this.#nothingBits() };
  }

  #rateKbps(): number {
    return this.#trace.rateKbps[this.#here.piece]!;
  }

  #nothingBits(): number {
    return Math.max(NOTHING_BITS, this.#rateKbps() * NANOSECOND);
  }

  /** As a lane meets it; absent: any of them. */
  #path(lane?: Lane): PathNow {
    const kbps = this.#rateKbps();
    const alone = {
      nowMs: this.#nowMs,
      rttMs: this.rttMs() ?? this.#otherwiseMs,
      rateKbps: kbps / this.#lanes.size,
    };
    if (!lane || this.#lanes.size < 2) return alone;
    let othersBits = 0;
    for (const other of this.#lanes) if (other !== lane) othersBits += other.window?.bits ?? 0;
    return { ...alone, shared: { kbps, othersBits } };
  }
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
