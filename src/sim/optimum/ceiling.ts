import { better, type Policy, type Problem } from './problem.ts';
import { CHUNK_RULES } from '../chunk/chunkWorld.ts';

/** Prices by segment (index 0 unused): what being late by a bit costs at each deadline, in q per bit; none below 0. */
type Prices = Float64Array;

/** Best under prices, by segment. */
interface Plan {
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

/** What the link carries until each deadline, for a grid of stalls. */
interface StallGrid {
  readonly stepMs: number;
  readonly points: number;
  /** `[segment * points + point]`: bits until the segment's deadline plus `point * stepMs`. */
  readonly bits: Float64Array;
  /** The highest rate within the step after that, bits per ms. */
  readonly ratePerMs: Float64Array;
}

/** @param maxMs no plan that matters stalls for longer */
function stallGrid(problem: Problem, { stepMs, maxMs }: { stepMs: number; maxMs: number }): StallGrid {
  const { link, segments } = problem;
  const points = Math.ceil(maxMs / stepMs) + 2;
  const bits = new Float64Array(segments * points);
  const ratePerMs = new Float64Array(segments * points);
  for (let segment = 1; segment < segments; segment += 1) {
    const deadlineMs = problem.deadlineMs(segment) - CHUNK_RULES.rttMs;
    for (let point = 0; point < points; point += 1) {
      const atMs = deadlineMs + point * stepMs;
      bits[segment * points + point] = link.bitsAt(atMs);
      ratePerMs[segment * points + point] = link.highestRate(atMs, atMs + stepMs);
    }
  }
  return { stepMs, points, bits, ratePerMs };
}

const ROUNDS = 150;
/** Grids of the stalls: coarse while prices are sought, fine for the ceiling that is used; on no trace without end. */
const SEEK = { stepMs: 400, maxPoints: 500 };
const USE = { stepMs: 50, maxPoints: 4000 };
/** Nothing is left to gain. */
const CLOSE_QOE = 1e-6;

/** A ceiling, its bound on the whole session, and the best policy found on the way. */
export interface Priced {
  readonly ceiling: Ceiling;
  readonly bound: number;
  readonly policy: Policy;
}

/**
 * The ceiling with the lowest bound on the whole session that subgradient steps find (Polyak 1969: as far as would reach
 * the target at once). Any prices give a valid ceiling; good ones give a low one. The plans that are best under some
 * prices are policies, some of them good.
 *
 * @param policyOf plays rungs in the chunk model
 */
export function pricedCeiling(problem: Problem, policyOf: (rungs: readonly number[]) => Policy): Priced {
  let policy = constantPlans(problem).map(policyOf).reduce(better);
  const grid = gridFor(problem, policy, SEEK);
  let prices = firstPrices(problem);
  let [best, lowest] = [prices, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ceiling = new Ceiling(problem, prices, grid);
    const bound = wholeBound(problem, ceiling);
    if (bound < lowest) [best, lowest] = [prices, bound];
    const plan = ceiling.bestPlan(problem);
    policy = better(policy, policyOf(plan.rungs));
    const spare = spareBits(problem, plan, grid);
    const square = spare.reduce((sum, each) => sum + each * each, 0);
    if (square === 0 || lowest - policy.qoe < CLOSE_QOE) break;
    const step = (bound - policy.qoe) / square;
    prices = prices.map((price, segment) => Math.max(0, price - step * spare[segment]!));
  }
  const ceiling = new Ceiling(problem, best, gridFor(problem, policy, USE));
  return { ceiling, bound: wholeBound(problem, ceiling), policy };
}

const wholeBound = (problem: Problem, ceiling: Ceiling): number =>
  ceiling.rest(1, problem.firstRung, startBits(problem), 0);

const constantPlans = ({ rungs, segments, firstRung }: Problem): number[][] =>
  Array.from({ length: rungs }, (_, rung) =>
    Array.from({ length: segments }, (_, segment) => (segment === 0 ? firstRung : rung)),
  );

function gridFor(problem: Problem, policy: Policy, { stepMs, maxPoints }: typeof SEEK): StallGrid {
  const { quality, segments, muPerMs } = problem;
  // Whoever stalls for longer is below the policy even at the top rung throughout.
  const maxMs = Math.max(0, (Math.max(...quality) * (segments - 1) - policy.qoe) / muPerMs);
  return stallGrid(problem, { stepMs: Math.max(stepMs, maxMs / maxPoints), maxMs });
}

const startBits = ({ link, firstArrivalMs }: Problem): number => link.bitsAt(firstArrivalMs);

/** Only the last deadline has a price: what a bit brings between the lowest rung and the highest. */
function firstPrices({ segments, rungs, bits, quality }: Problem): Prices {
  const prices = new Float64Array(segments);
  const last = (segments - 1) * rungs;
  const extraBits = bits[last + rungs - 1]! - bits[last]!;
  const extraQuality = quality[rungs - 1]! - quality[0]!;
  prices[segments - 1] = extraBits > 0 ? Math.max(0, extraQuality / extraBits) : 0;
  return prices;
}

/** By how much the plan that is best under the prices is early at each deadline: how the bound changes with its price. */
function spareBits(problem: Problem, { sumBits, points }: Plan, grid: StallGrid): Float64Array {
  const start = startBits(problem);
  return sumBits.map((sum, segment) =>
    segment === 0 ? 0 : grid.bits[segment * grid.points + points[segment]!]! - start - sum,
  );
}
