import type { RateTrace } from '../../network/rateTrace.ts';

/**
 * A trace as one rising curve: bits carried from its zero until a moment, and back. Time runs on through the passes
 * (the second pass begins at the trace's length), so a search has one clock that never wraps.
 *
 * Looking up both ways costs a division and a step or two, whatever the trace's length: two tables tell where to begin.
 */
export class Link {
  readonly #endMs: Float64Array;
  readonly #beginMs: Float64Array;
  readonly #rateKbps: Float64Array;
  /** Bits carried before each piece; one more at the end, the bits of a pass. */
  readonly #bitsBefore: Float64Array;
  readonly #pieceAtMs: Int32Array;
  readonly #pieceAtBits: Int32Array;
  readonly #passMs: number;
  readonly #passBits: number;
  readonly #msPerCell: number;
  readonly #bitsPerCell: number;

  constructor({ endMs, rateKbps }: RateTrace) {
    const pieces = endMs.length;
    this.#endMs = endMs;
    this.#rateKbps = rateKbps;
    this.#beginMs = Float64Array.from(endMs, (_, piece) => (piece === 0 ? 0 : endMs[piece - 1]!));
    this.#bitsBefore = new Float64Array(pieces + 1);
    for (let piece = 0; piece < pieces; piece += 1) {
      const lastsMs = endMs[piece]! - this.#beginMs[piece]!;
      this.#bitsBefore[piece + 1] = this.#bitsBefore[piece]! + rateKbps[piece]! * lastsMs;
    }
    this.#passMs = endMs[pieces - 1]!;
    this.#passBits = this.#bitsBefore[pieces]!;
    const cells = 2 * pieces;
    this.#msPerCell = this.#passMs / cells;
    this.#bitsPerCell = this.#passBits / cells;
    this.#pieceAtMs = firstPieces(endMs, cells, this.#msPerCell);
    this.#pieceAtBits = firstPieces(this.#bitsBefore.subarray(1), cells, this.#bitsPerCell);
  }

  /** Bits carried from the trace's zero until `ms`. */
  bitsAt(ms: number): number {
    const passes = Math.floor(ms / this.#passMs);
    const inPassMs = ms - passes * this.#passMs;
    let piece = this.#pieceAtMs[Math.floor(inPassMs / this.#msPerCell)]!;
    while (piece < this.#endMs.length - 1 && this.#endMs[piece]! < inPassMs) piece += 1;
    const bits = this.#bitsBefore[piece]! + this.#rateKbps[piece]! * (inPassMs - this.#beginMs[piece]!);
    return passes * this.#passBits + bits;
  }

  /** The highest rate between two moments, bits per ms (which is kbit/s). */
  highestRate(fromMs: number, toMs: number): number {
    const passes = Math.floor(fromMs / this.#passMs);
    let restMs = toMs - passes * this.#passMs;
    let inPassMs = fromMs - passes * this.#passMs;
    let piece = this.#pieceAtMs[Math.floor(inPassMs / this.#msPerCell)]!;
    let highest = 0;
    while (inPassMs <= restMs) {
      if (this.#endMs[piece]! >= inPassMs) highest = Math.max(highest, this.#rateKbps[piece]!);
      inPassMs = Math.max(inPassMs, this.#endMs[piece]!);
      if (this.#endMs[piece]! > restMs) break;
      piece += 1;
      if (piece < this.#endMs.length) continue;
      piece = 0;
      inPassMs = 0;
      restMs -= this.#passMs;
    }
    return highest;
  }

  /** The first moment at which `bits` have been carried, ms: where a download ends, however long the outage after it. */
  msAt(bits: number): number {
    let passes = Math.floor(bits / this.#passBits);
    let inPass = bits - passes * this.#passBits;
    if (inPass <= 0 && passes > 0) {
      // The last bit of a pass comes when it comes, not at the end of the outage that the pass may end with.
      passes -= 1;
      inPass = this.#passBits;
    }
    let piece = this.#pieceAtBits[Math.floor(inPass / this.#bitsPerCell)]!;
    while (piece < this.#endMs.length - 1 && this.#bitsBefore[piece + 1]! < inPass) piece += 1;
    const rate = this.#rateKbps[piece]!;
    const restBits = inPass - this.#bitsBefore[piece]!;
    const restMs = rate > 0 ? restBits / rate : 0;
    return passes * this.#passMs + this.#beginMs[piece]! + restMs;
  }
}

/** For each cell of an ascending axis the first piece that ends after the cell's begin, less one for rounding. */
function firstPieces(ends: Float64Array, cells: number, cellWidth: number): Int32Array {
  const first = new Int32Array(cells + 2);
  let piece = 0;
  for (let cell = 0; cell < first.length; cell += 1) {
    while (piece < ends.length - 1 && ends[piece]! < cell * cellWidth) piece += 1;
    first[cell] = Math.max(0, piece - 1);
  }
  return first;
}
