import { Ceiling, type Plan, type Prices } from './ceiling.ts';
import type { Policy } from './policy.ts';
import type { Problem } from './problem.ts';
import { stallGrid, type StallGrid } from './stallGrid.ts';

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

const better = (one: Policy, other: Policy): Policy => (other.qoe > one.qoe ? other : one);

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
