/**
 * Per rung, the best that has been seen so far in a sweep along the clock: pairs (stall, quality) of which none has both
 * less stall and more quality than another.
 *
 *     quality
 *        │        ×
 *        │    ×        a pair below and right of the stairs is dominated
 *        │ ×
 *        └──────────── stall
 */
export class Fronts {
  readonly #stairs: readonly Stairs[];
  readonly #change: Float64Array;
  readonly #rungs: number;

  /** `change[rung * rungs + other]`: what going from one rung to another costs. */
  constructor(rungs: number, change: Float64Array) {
    this.#rungs = rungs;
    this.#change = change;
    this.#stairs = Array.from({ length: rungs }, () => new Stairs());
  }

  clear(): void {
    for (const stairs of this.#stairs) stairs.length = 0;
  }

  covers(rung: number, stallMs: number, quality: number): boolean {
    return this.#stairs[rung]!.covers(stallMs, quality);
  }

  /**
   * From this state one can do all that a state of another rung can, at the price of one change: |q_a − q_c| ≤
   * |q_a − q_b| + |q_b − q_c|. So it is entered for each rung, less that price.
   */
  add(rung: number, stallMs: number, quality: number): void {
    for (let other = 0; other < this.#rungs; other += 1)
      this.#stairs[other]!.add(stallMs, quality - this.#change[rung * this.#rungs + other]!);
  }
}

/** Sums of the same numbers in another order differ by less than these. */
const ROUNDING_QUALITY = 1e-9;
const ROUNDING_MS = 1e-6;

class Stairs {
  length = 0;
  /** Ascending, as is the quality. */
  #stallMs = new Float64Array(64);
  #quality = new Float64Array(64);

  covers(stallMs: number, quality: number): boolean {
    const after = this.#firstAbove(stallMs + ROUNDING_MS);
    return after > 0 && this.#quality[after - 1]! >= quality - ROUNDING_QUALITY;
  }

  add(stallMs: number, quality: number): void {
    const after = this.#firstAbove(stallMs);
    if (after > 0 && this.#quality[after - 1]! >= quality) return;
    // Those from `at` to `end` have no less stall and no more quality.
    const at = after > 0 && this.#stallMs[after - 1] === stallMs ? after - 1 : after;
    let end = after;
    while (end < this.length && this.#quality[end]! <= quality) end += 1;
    if (this.length === this.#stallMs.length) this.#grow();
    this.#stallMs.copyWithin(at + 1, end, this.length);
    this.#quality.copyWithin(at + 1, end, this.length);
    this.#stallMs[at] = stallMs;
    this.#quality[at] = quality;
    this.length += at + 1 - end;
  }

  /** Index of the first pair with more stall; `length` when there is none. */
  #firstAbove(limitMs: number): number {
    const stallMs = this.#stallMs;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (stallMs[middle]! > limitMs) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #grow(): void {
    const { length } = this.#stallMs;
    const stallMs = new Float64Array(2 * length);
    const quality = new Float64Array(2 * length);
    stallMs.set(this.#stallMs);
    quality.set(this.#quality);
    this.#stallMs = stallMs;
    this.#quality = quality;
  }
}
