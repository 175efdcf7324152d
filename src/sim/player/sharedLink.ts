import type { PolicedSpell } from '../../network/profile.ts';
import type { RateTrace } from '../../network/rateTrace.ts';
import type { UdpNow } from '../../network/udpPath.ts';
import { PACKET_BITS, type PathNow } from './congestionWindow.ts';
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
import type { LossNow } from './lossRecovery.ts';
import { UdpPolicer } from './udpPolicer.ts';

/**
 * The path that a trace describes, shared equally by all lanes that have something to send (processor sharing): with k lanes
 * each gets 1/k of the rate, while its window allows; what a limit of UDP leaves is free for the others. Session time 0 is
 * the start of the trace's first pass.
 */
export interface SharedLink {
  /** Starts a transfer; `lane` absent: on a lane of its own. */
  start(bits: number, lane?: Lane): Transfer;
  stop(transfer: Transfer): void;
  /** Tells whether bits of a transfer may come now. */
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

/** `rttMs` is that of windows where the trace has none; `udp` has limits of UDP in session time. */
export const createSharedLink = (
  trace: RateTrace,
  rttMs = 0,
  udp: readonly PolicedSpell[] = [],
): SharedLink => new TraceLink(trace, rttMs, udp);

class TraceLink implements SharedLink {
  #nowMs = 0;
  /** Lanes with something to send. */
  readonly #lanes = new Set<Lane>();
  readonly #here: Place;
  readonly #trace: RateTrace;
  readonly #otherwiseMs: number;
  /** null: nothing ever befalls UDP alone. */
  readonly #udp: UdpPolicer | null;

  constructor(trace: RateTrace, rttMs: number, udp: readonly PolicedSpell[]) {
    this.#trace = trace;
    this.#udp = udp.length > 0 ? new UdpPolicer(udp) : null;
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
    if (transfer.lane.isUdp && this.#udp?.limit.kbps === 0) return false;
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
      const untilMs = Math.min(atMs, this.#steadyUntilMs());
      const stretch = { fromMs: this.#nowMs, untilMs, rttMs: this.#rttMs() };
      const speeds = this.#speeds(going, untilMs - this.#nowMs);
      const laneNow = this.#laneNow();
      for (const [index, lane] of going.entries()) serve(lane, speeds[index]!, stretch, laneNow);
      this.#udp?.advanceTo(untilMs, ofUdp(going, speeds));
      this.#nowMs = untilMs;
      // A piece shorter than the rounding of the clock has ended when it begins.
      while (this.#nowMs >= this.#here.endsMs) goOn(this.#trace, this.#here);
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
    const laneNow = this.#laneNow();
    const bits = going.map((lane) => untilChange(lane, laneNow));
    if (this.#udp === null && !going.some(({ window, recovery }) => recovery !== null || window?.isPaced))
      return whenServed(this.#trace, this.#here, this.#nowMs, Math.min(...bits) * going.length);
    // What paces, loses or is limited is looked at again where rate, round-trip time, loss and limit change.
    const speeds = this.#speeds(going, 1);
    const waits = bits.map((each, index) => (speeds[index]! > 0 ? each / speeds[index]! : Infinity));
    const spentInMs = this.#udp?.spentInMs(ofUdp(going, speeds)) ?? Infinity;
    return Math.min(this.#nowMs + Math.min(spentInMs, ...waits), this.#steadyUntilMs());
  }

  /** Bits that each lane carries in so many ms: equal parts, except for those that send less by themselves. */
  #speeds(going: readonly Lane[], ms: number): readonly number[] {
    const rateKbps = this.#rateKbps();
    const rttMs = this.#rttMs();
    const nothingBits = this.#nothingBits();
    const limitOf = (lane: Lane): number =>
      Math.min(maxKbps(lane, rttMs, nothingBits), this.#udpKbps(lane, going));
    // Mostly there is one, and this is what takes most of a session's time.
    if (going.length === 1) return [ms * Math.min(limitOf(going[0]!), rateKbps)];
    const limits = going.map(limitOf);
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
    const going: Lane[] = [];
    for (const lane of this.#lanes) if (mayGo(lane, nothingBits)) going.push(lane);
    return going;
  }

  #laneNow() {
    return { loss: this.#loss(), nothingBits: this.#nothingBits() };
  }

  /** In the long run `lossShare` is lost: the share of bursts, 1 of which begins after so many packets. */
  #loss(): LossNow {
    const share = this.lossShare('down');
    const again = this.#trace.againDown?.[this.#here.piece];
    return again === undefined || share >= 1
      ? { first: share }
      : { first: (share * (1 - again)) / (1 - share), again };
  }

  /** The most that a limit of UDP leaves to one of some lanes: those over UDP share it. */
  #udpKbps({ isUdp = false }: Lane, going: readonly Lane[]): number {
    return this.#udp && isUdp ? this.#udp.maxKbps / countUdp(going) : Infinity;
  }

  /** When the path is another one next. */
  #steadyUntilMs(): number {
    return Math.min(this.#here.endsMs, this.#udp?.limit.untilMs ?? Infinity);
  }

  /** Returns the round-trip time; where the trace has none, that of windows. */
  #rttMs(): number {
    return this.rttMs() ?? this.#otherwiseMs;
  }

  #rateKbps(): number {
    return this.#trace.rateKbps[this.#here.piece]!;
  }

  #nothingBits(): number {
    return Math.max(NOTHING_BITS, this.#rateKbps() * NANOSECOND);
  }

  /** Returns the path as a lane meets it; `lane` absent: as any of them does. */
  #path(lane?: Lane): PathNow {
    const kbps = this.#rateKbps();
    const udp = this.#limitedUdp();
    const alone = {
      nowMs: this.#nowMs,
      rttMs: this.#rttMs(),
      rateKbps: udp ? this.#besideKbps(udp) : kbps / this.#lanes.size,
    };
    if (udp && lane?.isUdp)
      return { ...alone, rateKbps: udp.kbps, queueBits: udp.burstPackets * PACKET_BITS };
    if (!lane || this.#lanes.size < 2) return alone;
    return { ...alone, shared: { kbps, othersBits: this.#othersBits(lane) } };
  }

  #othersBits(lane: Lane): number {
    let bits = 0;
    for (const other of this.#lanes) if (other !== lane) bits += other.window?.bits ?? 0;
    return bits;
  }

  /** What UDP meets now, where that is less than an equal part of the rate; else null. */
  #limitedUdp(): UdpNow | null {
    const udp = this.#udp?.limit;
    return udp && udp.kbps < this.#rateKbps() / this.#lanes.size ? udp : null;
  }

  /** The part of a lane that the limit of UDP does not act on. */
  #besideKbps({ kbps }: UdpNow): number {
    const limited = countUdp(this.#lanes);
    const others = this.#lanes.size - limited;
    return (this.#rateKbps() - (limited > 0 ? kbps : 0)) / Math.max(1, others);
  }
}

/** Sums the shares of the lanes over UDP. */
const ofUdp = (going: readonly Lane[], shares: readonly number[]): number =>
  going.reduce((sum, { isUdp }, index) => sum + (isUdp ? shares[index]! : 0), 0);

const countUdp = (lanes: Iterable<Lane>): number => [...lanes].filter(({ isUdp }) => isUdp).length;

function firstPlace(trace: RateTrace): Place {
  const place = { piece: 0, endsMs: trace.endMs[0]! - trace.startMs };
  while (place.endsMs <= 0) goOn(trace, place);
  return place;
}

/** Moves the place to the next piece; after the last one to the first, which then begins at the trace's zero. */
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
