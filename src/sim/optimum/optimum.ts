import type { RateTrace } from '../../network/rateTrace.ts';
import type { QoeModel } from '../../shared/qoe.ts';
import type { Content } from '../content.ts';
import { better, problemOf, type Policy, type Problem } from './problem.ts';
import { pricedCeiling, type Priced } from './ceiling.ts';
import { search, type Found } from './sweep.ts';
import { createChunkWorld } from '../chunk/chunkWorld.ts';

/** The best that anybody who knew the future could have done in the chunk model. QoE is summed without the first segment. */
interface Optimum {
  /** A policy that can be played: its rungs, the first forced, and exactly what the chunk model gives for them. */
  readonly feasible: Policy;
  /** No policy exceeds it. Equal to `feasible.qoe` (to a millionth) when that is proven to be the optimum. */
  readonly upperBound: number;
}

/**
 * Offline optimum of one trace, by dynamic programming with dominance (sweep.ts has the proof of the bound) below a ceiling
 * (ceiling.ts). The relaxed player's best policy is played in the chunk model: when it comes to the same there, as nearly
 * always, it is the optimum. Else the chunk model's own states are searched for a better policy.
 */
export function offlineOptimum(trace: RateTrace, content: Content, qoe: QoeModel): Optimum {
  const problem = problemOf(trace, content, qoe);
  const policyOf = (rungs: readonly number[]): Policy => ({
    rungs,
    qoe: replayQoe(rungs, { trace, content, qoe }),
  });
  const priced = pricedCeiling(problem, policyOf);
  const relaxed = relaxedBest(problem, priced);
  let feasible = better(priced.policy, policyOf(relaxed.rungs));
  if (relaxed.reward - feasible.qoe > ROUNDING_QOE) {
    const exact = search(problem, { relaxed: false, ceiling: priced.ceiling, floor: feasible.qoe });
    if (exact) feasible = better(feasible, policyOf(exact.rungs));
  }
  return { feasible, upperBound: Math.max(feasible.qoe, relaxed.reward) + ROUNDING_QOE };
}

/** The search is quick just below the bound, so it begins there and goes down until it finds something. */
function relaxedBest(problem: Problem, { ceiling, bound, policy }: Priced): Found {
  const span = Math.max(...problem.quality) - Math.min(...problem.quality);
  for (let below = FIRST_SHARE * span + ROUNDING_QOE; ; below *= 2) {
    const floor = Math.max(bound - below, policy.qoe - ROUNDING_QOE);
    const found = search(problem, { relaxed: true, ceiling, floor });
    if (found) return found;
    if (floor < policy.qoe) throw new Error(`No policy of QoE ${policy.qoe} found, though one is known.`);
  }
}

/** A search adds what the chunk model walks, and drops what is better by less than a billionth per segment. */
const ROUNDING_QOE = 1e-6;
/** The optimum is mostly this near to the bound, as a share of the way from the lowest quality to the highest. */
const FIRST_SHARE = 0.2;

/** QoE of these rungs in the chunk model: Σ q − µ Σ stall − Σ |Δq|, without the first segment's. */
export function replayQoe(
  rungs: readonly number[],
  { trace, content, qoe }: { trace: RateTrace; content: Content; qoe: QoeModel },
): number {
  const bitratesKbps = content.video.ladder.map(({ bitrateKbps }) => bitrateKbps);
  const qualities = qoe.qualities(bitratesKbps);
  const mu = qoe.mu(bitratesKbps);
  const world = createChunkWorld(trace, content);
  let sum = 0;
  rungs.forEach((rung, segment) => {
    world.step(rung);
    if (segment === 0) return;
    const quality = qualities[rung]!;
    sum += quality - mu * (world.stallMs / 1000) - Math.abs(quality - qualities[rungs[segment - 1]!]!);
  });
  return sum;
}
