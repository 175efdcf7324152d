import type { Plan, PlanProblem } from './planProblem.ts';
import { Relaxation } from './relaxation.ts';

/** Plans whose values differ by no more than this are equally good; of those the lowest first rung is taken. */
const TIE = 1e-9;
/** Below this a difference in value is rounding: a branch that promises no more is not looked into. */
const NOISE = 1e-12;
/**
 * Multipliers of the bounds, as shares of mu, and how many branches a search has entered when it takes them. Measured:
 * eight from the start are faster than two at first and the others when needed, on 6, 10 and 20 rungs alike; finer
 * ones pay only in long searches, on 20 rungs and more.
 */
const REFINEMENTS = [
  { after: 0, shares: [0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.4, 1] },
  { after: 64, shares: [0.005, 0.014, 0.028, 0.056, 0.11, 0.22, 0.6] },
] as const;

/**
 * The best of all rungs^steps plans, exactly: no plan is worth more (but for rounding, 1e-12), and among those within
 * `TIE` of the best none has a lower first rung.
 *
 * The tie decides what MPC is worth. Under the linear QoE a step up costs in variation what it gains in its last
 * segment, so plans tie exactly and often: on the HSDPA test set and Envivio, robust MPC has 0.908 a segment with
 * the lowest first rung and 0.896 with the highest, MPC without discount 0.454 and 0.286.
 *
 * Branch and bound, most promising rung first, with the bounds of `relaxation.ts`. A branch is left as soon as its bound
 * shows that it cannot change the answer: it reaches no more than a plan with its own or a lower first rung has, or it
 * stays by more than the tie below one with a higher first rung.
 */
export function bestPlan(problem: PlanProblem): Plan {
  return search.run(problem);
}

/** Its arrays are scratch of one run, kept so that a decision allocates nothing. */
class Search {
  private problem!: PlanProblem;
  private readonly relaxation = new Relaxation();
  private entered = 0;
  private firstRung = 0;
  /** A branch must promise more than this. */
  private floor = -Infinity;
  /** Before each step: rung of the segment before (−1 at the start of a session), buffer, value and stalls so far. */
  private rungBefore = new Int32Array(0);
  private bufferMs = new Float64Array(0);
  private value = new Float64Array(0);
  private stallMs = new Float64Array(0);
  /** `[step × rungs + rung]`: value with that rung, and the most that it can become. */
  private childValue = new Float64Array(0);
  private promise = new Float64Array(0);
  /** Best plan found by first rung. */
  private bestValue = new Float64Array(0);
  private bestStallMs = new Float64Array(0);

  run(problem: PlanProblem): Plan {
    this.start(problem);
    this.rate(0);
    for (let rung = this.maxPromising(0, -Infinity); rung >= 0; rung = this.maxPromising(0, -Infinity)) {
      this.firstRung = rung;
      this.floor = this.floorFor(rung);
      if (this.take(0, rung) > this.floor + NOISE) this.exploreFrom(0, rung);
    }
    return this.answer();
  }

  private start(problem: PlanProblem): void {
    const { steps, qualities } = problem;
    this.problem = problem;
    this.reserve(steps, qualities.length);
    this.entered = 0;
    this.rungBefore[0] = problem.lastRung ?? -1;
    this.bufferMs[0] = problem.bufferMs;
    this.value[0] = 0;
    this.stallMs[0] = 0;
    this.bestValue.fill(-Infinity, 0, qualities.length);
    this.relaxation.start(problem);
    this.refine();
  }

  private reserve(steps: number, rungs: number): void {
    if (this.value.length <= steps) {
      this.rungBefore = new Int32Array(steps + 1);
      this.bufferMs = new Float64Array(steps + 1);
      this.value = new Float64Array(steps + 1);
      this.stallMs = new Float64Array(steps + 1);
    }
    if (this.promise.length < steps * rungs) {
      this.childValue = new Float64Array(steps * rungs);
      this.promise = new Float64Array(steps * rungs);
    }
    if (this.bestValue.length < rungs) {
      this.bestValue = new Float64Array(rungs);
      this.bestStallMs = new Float64Array(rungs);
    }
  }

  private refine(): void {
    if (this.problem.steps === 1) return;
    for (const { after, shares } of REFINEMENTS) {
      if (after !== this.entered) continue;
      for (const share of shares) this.relaxation.add(this.problem, share * this.problem.muPerMs);
    }
  }

  /** What each rung at this step makes of the plan so far, and can make of it at most. */
  private rate(step: number): void {
    const { qualities, downloadMs, steps, segmentMs, muPerMs, variationWeight } = this.problem;
    const rungs = qualities.length;
    const before = this.rungBefore[step]!;
    const bufferMs = this.bufferMs[step]!;
    const value = this.value[step]!;
    const stepsAfter = steps - step - 1;
    const at = step * rungs;
    for (let rung = 0; rung < rungs; rung += 1) {
      const quality = qualities[rung]!;
      const lateMs = downloadMs[at + rung]! - bufferMs;
      const change = before < 0 ? 0 : Math.abs(quality - qualities[before]!);
      const reached = value + quality - variationWeight * change - (lateMs > 0 ? muPerMs * lateMs : 0);
      this.childValue[at + rung] = reached;
      const slackMs = (lateMs < 0 ? -lateMs : 0) + stepsAfter * segmentMs;
      this.promise[at + rung] =
        stepsAfter === 0 ? reached : reached + this.relaxation.bound(at + rungs + rung, slackMs);
    }
  }

  /** The rung at this step that promises most, above `min`; −1 when there is none. */
  private maxPromising(step: number, min: number): number {
    const { promise } = this;
    const rungs = this.problem.qualities.length;
    const at = step * rungs;
    let max = min;
    let found = -1;
    for (let rung = 0; rung < rungs; rung += 1) {
      if (promise[at + rung]! > max) {
        max = promise[at + rung]!;
        found = rung;
      }
    }
    return found;
  }

  /** The promise of a rung, which is then no longer on offer. */
  private take(step: number, rung: number): number {
    const at = step * this.problem.qualities.length + rung;
    const promised = this.promise[at]!;
    this.promise[at] = -Infinity;
    return promised;
  }

  private exploreFrom(step: number, rung: number): void {
    const { qualities, downloadMs, steps, segmentMs } = this.problem;
    const at = step * qualities.length + rung;
    const lateMs = downloadMs[at]! - this.bufferMs[step]!;
    const next = step + 1;
    this.value[next] = this.childValue[at]!;
    this.stallMs[next] = this.stallMs[step]! + (lateMs > 0 ? lateMs : 0);
    if (next === steps) return this.settle(next);
    this.rungBefore[next] = rung;
    this.bufferMs[next] = (lateMs < 0 ? -lateMs : 0) + segmentMs;
    this.entered += 1;
    this.refine();
    this.explore(next);
  }

  private explore(step: number): void {
    this.rate(step);
    for (;;) {
      const rung = this.maxPromising(step, this.floor + NOISE);
      if (rung < 0) return;
      this.take(step, rung);
      this.exploreFrom(step, rung);
    }
  }

  /** A whole plan, better than its floor. */
  private settle(end: number): void {
    this.bestValue[this.firstRung] = this.value[end]!;
    this.bestStallMs[this.firstRung] = this.stallMs[end]!;
    this.floor = this.value[end]!;
  }

  private floorFor(firstRung: number): number {
    const { bestValue } = this;
    let floor = -Infinity;
    for (let rung = 0; rung < this.problem.qualities.length; rung += 1) {
      const reached = rung <= firstRung ? bestValue[rung]! : bestValue[rung]! - TIE - 2 * NOISE;
      if (reached > floor) floor = reached;
    }
    return floor;
  }

  private answer(): Plan {
    const { bestValue } = this;
    const rungs = this.problem.qualities.length;
    let best = -Infinity;
    for (let rung = 0; rung < rungs; rung += 1) best = Math.max(best, bestValue[rung]!);
    let firstRung = 0;
    while (bestValue[firstRung]! < best - TIE) firstRung += 1;
    return { firstRung, value: bestValue[firstRung]!, stallMs: this.bestStallMs[firstRung]! };
  }
}

const search = new Search();
