/**
 * Per rung, the best that has been seen so far in a sweep along the clock: pairs (reward, quality) of which none is
 * below another in both. `reward` counts stalls, `quality` does not.
 *
 *     quality
 *        │ ×
 *        │    ×        a pair below and left of the stairs is dominated
 *        │        ×
 *        └──────────── reward
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

  covers(rung: number, reward: number, quality: number): boolean {
    return this.#stairs[rung]!.covers(reward, quality);
  }

  /**
   * From this state one can do all that a state of another rung can, at the price of one change: |q_a − q_c| ≤
   * |q_a − q_b| + |q_b − q_c|. So it is entered for each rung, less that price.
   */
  add(rung: number, reward: number, quality: number): void {
    for (let other = 0; other < this.#rungs; other += 1) {
      const price = this.#change[rung * this.#rungs + other]!;
      this.#stairs[other]!.add(reward - price, quality - price);
    }
  }
}

/** Sums of the same qualities in another order differ by less than this. */
export const ROUNDING = 1e-9;

class Stairs {
  length = 0;
  /** Ascending. */
  #reward = new Float64Array(64);
  /** Descending. */
  #quality = new Float64Array(64);

  covers(reward: number, quality: number): boolean {
    const at = this.#firstFrom(reward - ROUNDING);
    return at < this.length && this.#quality[at]! >= quality - ROUNDING;
  }

  add(reward: number, quality: number): void {
    const at = this.#firstFrom(reward);
    if (at < this.length && this.#quality[at]! >= quality) return;
    // Those from `keep` to `end` are below the new pair in both.
    let keep = at;
    while (keep > 0 && this.#quality[keep - 1]! <= quality) keep -= 1;
    const end = at < this.length && this.#reward[at] === reward ? at + 1 : at;
    if (this.length === this.#reward.length) this.#grow();
    this.#reward.copyWithin(keep + 1, end, this.length);
    this.#quality.copyWithin(keep + 1, end, this.length);
    this.#reward[keep] = reward;
    this.#quality[keep] = quality;
    this.length += keep + 1 - end;
  }

  /** Index of the first pair with at least this reward; `length` when there is none. */
  #firstFrom(reward: number): number {
    const rewards = this.#reward;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rewards[middle]! >= reward) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #grow(): void {
    const { length } = this.#reward;
    const reward = new Float64Array(2 * length);
    const quality = new Float64Array(2 * length);
    reward.set(this.#reward);
    quality.set(this.#quality);
    this.#reward = reward;
    this.#quality = quality;
  }
}
