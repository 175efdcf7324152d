import type { PlanProblem } from './planProblem.ts';

/** Space for multipliers; the search uses 15. */
const MAX_MULTIPLIERS = 16;

/**
 * What the rest of a plan can be worth at most, in a few operations per rung of the ladder.
 *
 * Over the rest of a plan, n segments with download times d from buffer B, the stalls sum to
 *
 *     T = max(0, max over k of d_1 + … + d_k − B − (k − 1) L)  ≥  Σ d − B − (n − 1) L
 *
 * (the buffer is a reflected walk). So for every multiplier λ in [0, mu]
 *
 *     Σ q − w Σ |Δq| − mu T  ≤  Σ (q − λ d) − w Σ |Δq| + λ (B + (n − 1) L):
 *
 * the buffer has left the sum, and the best rungs follow from dynamic programming over (step, rung before) alone:
 * Lagrangian relaxation, see Fisher, Management Science 27(1), 1981. The smallest bound of several λ counts. As q
 * ascends, max over r of (g_r − w |q_r − q_a|) for all a is one pass up and one down.
 */
export class Relaxation {
  /** `[row × MAX_MULTIPLIERS + multiplier]`; row = step × rungs + rung before. */
  private table = new Float64Array(0);
  private readonly multipliers = new Float64Array(MAX_MULTIPLIERS);
  private count = 0;

  /** Forgets the multipliers of the problem before. */
  start({ steps, qualities }: PlanProblem): void {
    const length = (steps + 1) * qualities.length * MAX_MULTIPLIERS;
    if (this.table.length < length) this.table = new Float64Array(length);
    this.count = 0;
  }

  /** Adds the bounds for λ = `multiplier`, q per ms, between 0 and mu. */
  add(problem: PlanProblem, multiplier: number): void {
    const { steps } = problem;
    const rungs = problem.qualities.length;
    const index = this.count;
    this.multipliers[index] = multiplier;
    this.count += 1;
    for (let rung = 0; rung < rungs; rung += 1)
      this.table[(steps * rungs + rung) * MAX_MULTIPLIERS + index] = 0;
    for (let step = steps - 1; step > 0; step -= 1) this.addStep(problem, step, index);
  }

  /** Most that the rest adds to a plan's value: `row` = step × rungs + rung before, `slackMs` = B + (n − 1) L. */
  bound(row: number, slackMs: number): number {
    const { table, multipliers, count } = this;
    const at = row * MAX_MULTIPLIERS;
    let min = Infinity;
    for (let index = 0; index < count; index += 1) {
      const bound = table[at + index]! + multipliers[index]! * slackMs;
      if (bound < min) min = bound;
    }
    return min;
  }

  private addStep(problem: PlanProblem, step: number, index: number): void {
    const { qualities, downloadMs, variationWeight } = problem;
    const { table } = this;
    const multiplier = this.multipliers[index]!;
    const rungs = qualities.length;
    let at = step * rungs * MAX_MULTIPLIERS + index;
    const down = rungs * MAX_MULTIPLIERS;
    let best = -Infinity;
    let before = 0;
    for (let rung = 0; rung < rungs; rung += 1) {
      const quality = qualities[rung]!;
      const gain = quality - multiplier * downloadMs[step * rungs + rung]! + table[at + down]!;
      best = Math.max(gain, best - variationWeight * (quality - before));
      table[at] = best;
      before = quality;
      at += MAX_MULTIPLIERS;
    }
    for (let rung = rungs - 1; rung >= 0; rung -= 1) {
      at -= MAX_MULTIPLIERS;
      const quality = qualities[rung]!;
      best = Math.max(table[at]!, best - variationWeight * (before - quality));
      table[at] = best;
      before = quality;
    }
  }
}
