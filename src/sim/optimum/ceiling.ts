import type { Problem } from './problem.ts';
import type { StallGrid } from './stallGrid.ts';

/** Prices by segment (index 0 unused): what being late by a bit costs at each deadline, in q per bit; none below 0. */
export type Prices = Float64Array;

/** Best under prices, by segment. */
export interface Plan {
  readonly rungs: readonly number[];
  /** Bits of all segments but the first, up to each. */
  readonly sumBits: Float64Array;
  /** Stalls up to each, as points of the grid. */
  readonly points: Int32Array;
}

/**
 * A bound on what the segments from some one on can still add, in no time to look up: duality (Everett, Operations
 * Research 1963). The deadlines
 *
 *     bits of the segments up to j  ≤  bits that the link carries until deadline j + the stalls up to j
 *
 * are not demanded but paid for: whoever is early at j gets prices[j] per bit to spare. A plan that keeps them all gets
 * nothing less than before, so the best plan under prices is worth at least as much as the best that keeps them. And it
 * falls apart into two that are easy: which rungs, with a price on each bit, and how much to stall, with a reward for time.
 */
export class Ceiling {
  /** Best sum over the rungs from a segment on: `[segment * rungs + rung before]`. */
  readonly #rungWorth: Float64Array;
  /** Best sum over the stalls from a segment on: `[segment * points + point]`. */
  readonly #stallWorth: Float64Array;
  /** Price of a bit that is carried before this segment. */
  readonly #bitPrice: Float64Array;
  readonly #grid: StallGrid;
  readonly #rungs: number;
  readonly #muPerMs: number;

  constructor(problem: Problem, prices: Prices, grid: StallGrid) {
    this.#grid = grid;
    this.#rungs = problem.rungs;
    this.#muPerMs = problem.muPerMs;
    this.#bitPrice = sumsFrom(prices);
    this.#rungWorth = rungWorth(problem, this.#bitPrice);
    this.#stallWorth = stallWorth(problem, prices, grid);
  }

  /** @param segment the next one to be requested; `bits` carried so far on the trace's clock, `stallMs` so far */
  rest(segment: number, rung: number, bits: number, stallMs: number): number {
    return (
      this.#rungWorth[segment * this.#rungs + rung]! +
      this.#stallsFrom(segment, stallMs) -
      this.#bitPrice[segment]! * bits
    );
  }

  /** Rungs and stalls of the best plan under these prices, from the first state on. */
  bestPlan({ segments, rungs, bits, quality, change, firstRung }: Problem): Plan {
    const sumBits = new Float64Array(segments);
    const points = new Int32Array(segments);
    const plan = [firstRung];
    let rung = firstRung;
    let point = 0;
    for (let segment = 1; segment < segments; segment += 1) {
      let best = -Infinity;
      let bestRung = 0;
      for (let next = 0; next < rungs; next += 1) {
        const worth =
          quality[next]! -
          change[rung * rungs + next]! -
          this.#bitPrice[segment]! * bits[segment * rungs + next]! +
          this.#rungWorth[(segment + 1) * rungs + next]!;
        if (worth <= best) continue;
        best = worth;
        bestRung = next;
      }
      rung = bestRung;
      plan.push(rung);
      sumBits[segment] = sumBits[segment - 1]! + bits[segment * rungs + rung]!;
      const { points: count, stepMs } = this.#grid;
      const row = segment * count;
      while (
        point + 1 < count &&
        this.#stallWorth[row + point]! <= this.#stallWorth[row + point + 1]! - this.#muPerMs * stepMs + 1e-12
      )
        point += 1;
      points[segment] = point;
    }
    return { rungs: plan, sumBits, points };
  }

  #stallsFrom(segment: number, stallMs: number): number {
    const { points, stepMs } = this.#grid;
    const place = Math.max(0, stallMs / stepMs);
    const below = Math.min(points - 1, Math.floor(place));
    const row = segment * points + below;
    // More time is worth no more than what it costs to stall for it.
    const up = this.#stallWorth[row]! + this.#muPerMs * (place - below) * stepMs;
    return below + 1 < points ? Math.min(up, this.#stallWorth[row + 1]!) : up;
  }
}

function sumsFrom(prices: Prices): Float64Array {
  const sums = new Float64Array(prices.length + 1);
  for (let segment = prices.length - 1; segment > 0; segment -= 1)
    sums[segment] = sums[segment + 1]! + prices[segment]!;
  return sums;
}

function rungWorth(
  { segments, rungs, bits, quality, change }: Problem,
  bitPrice: Float64Array,
): Float64Array {
  const worth = new Float64Array((segments + 1) * rungs);
  for (let segment = segments - 1; segment > 0; segment -= 1)
    for (let before = 0; before < rungs; before += 1) {
      let best = -Infinity;
      for (let rung = 0; rung < rungs; rung += 1) {
        const each =
          quality[rung]! -
          change[before * rungs + rung]! -
          bitPrice[segment]! * bits[segment * rungs + rung]!;
        best = Math.max(best, each + worth[(segment + 1) * rungs + rung]!);
      }
      worth[segment * rungs + before] = best;
    }
  return worth;
}

/**
 * On a grid of stalls, but for every stall between too. Within a cell the worth rises by no more than `slope`; where that
 * is below µ, stalling a little more within the cell does not pay, and nothing is lost to the grid.
 */
function stallWorth({ segments, muPerMs }: Problem, prices: Prices, grid: StallGrid): Float64Array {
  const { points, stepMs, bits, ratePerMs } = grid;
  const worth = new Float64Array((segments + 1) * points);
  const slope = new Float64Array(points);
  for (let segment = segments - 1; segment > 0; segment -= 1) {
    const row = segment * points;
    const stay = (point: number): number =>
      prices[segment]! * bits[row + point]! + worth[row + points + point]!;
    let above = -Infinity;
    let aboveStay = Infinity;
    for (let point = points - 1; point >= 0; point -= 1) {
      const here = stay(point);
      const rise = prices[segment]! * ratePerMs[row + point]! + slope[point]!;
      let best = Math.max(here, above - muPerMs * stepMs);
      const staysAbove = above <= aboveStay;
      if (rise > muPerMs && point < points - 1)
        best = Math.max(
          best,
          here + (rise - muPerMs) * Math.min(stepMs, Math.max(0, aboveStay - here) / rise),
        );
      slope[point] = rise <= muPerMs && staysAbove ? rise : muPerMs;
      worth[row + point] = best;
      above = best;
      aboveStay = here;
    }
  }
  return worth;
}
