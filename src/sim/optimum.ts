import type { RateTrace } from '../network/rateTrace.ts';
import type { QoeModel } from '../qoe.ts';
import type { Content } from './content.ts';
import { problemOf } from './optimum/problem.ts';
import { replayQoe } from './optimum/replayQoe.ts';
import { search } from './optimum/search.ts';

/** The best that anybody who knew the future could have done in the chunk model. QoE is summed without the first segment. */
export interface Optimum {
  /** A policy that can be played: its rungs, the first forced, and exactly what the chunk model gives for them. */
  readonly feasible: { readonly qoe: number; readonly rungs: readonly number[] };
  /** No policy exceeds it. Equal to `feasible.qoe` (to a millionth) when that is proven to be the optimum. */
  readonly upperBound: number;
}

/**
 * Offline optimum of one trace, by dynamic programming with dominance (sweep.ts has the proof of the bound). The relaxed
 * player's best policy is played in the chunk model: when it comes to the same there, as nearly always, it is the
 * optimum. Else the chunk model's own states are searched, and the better policy is taken.
 */
export function offlineOptimum(trace: RateTrace, content: Content, qoe: QoeModel): Optimum {
  const problem = problemOf(trace, content, qoe);
  const play = (rungs: readonly number[]): Optimum['feasible'] => ({
    qoe: replayQoe(rungs, { trace, content, qoe }),
    rungs,
  });
  const relaxed = search(problem, { relaxed: true });
  const imitated = play(relaxed.rungs);
  const upperBound = relaxed.reward + ROUNDING_QOE;
  if (imitated.qoe >= upperBound - 2 * ROUNDING_QOE) return { feasible: imitated, upperBound };
  const exact = play(search(problem, { relaxed: false }).rungs);
  return { feasible: exact.qoe > imitated.qoe ? exact : imitated, upperBound };
}

/** A search adds what the chunk model walks, and drops what is better by less than a billionth per segment. */
const ROUNDING_QOE = 1e-6;
