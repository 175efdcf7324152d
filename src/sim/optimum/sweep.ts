import { CHUNK_RULES } from '../chunk/chunkRules.ts';
import { Fronts } from './fronts.ts';
import { Pending } from './pending.ts';
import type { Problem } from './problem.ts';
import { States } from './states.ts';

/**
 * One more segment, for every state and every rung, in the order of the clock; what is dominated on arrival is dropped.
 *
 * A link is first in, first out, so for one rung the arrivals come in the order of their requests. The sweep merges
 * these rows, one per rung, and those that sleep at the buffer's cap, which it holds back until their time.
 *
 * **Exact** (`relaxed` false): each state is one that the chunk model can be in. Dominance is a rule of thumb there,
 * because a fuller buffer can be a burden: at the cap it forces a sleep. So this finds policies, not bounds.
 *
 * **Relaxed**: a player who may do more, so no policy of the chunk model does better.
 * - It sleeps only as long as it must, not in whole steps of 500 ms.
 * - At the cap it may instead give up buffer, free of charge.
 * There dominance holds. Let A and B have the same last rung, A's clock ≤ B's, and both reward_A ≥ reward_B and
 * quality_A ≥ quality_B. As quality − reward is µ times the stalls, and the deadline is the same for all but for these,
 * quality = reward + µ × deadline + a constant. A imitates B, rung by rung:
 * - Its downloads end no later than B's, as it asks no later.
 * - Where its deadline is the later one it gives up as much buffer as B's lacks, should the cap ask for it, and never
 *   stalls more than B.
 * - Where its deadline is earlier, by x, it sleeps no longer than B and stalls at most x more than B in all; then their
 *   deadlines are the same. That costs µx, and reward_A − µx ≥ reward_B is what quality_A ≥ quality_B says.
 * So A ends with no less. Across rungs the same with the price of one change, see fronts.ts.
 *
 * To give up x ms of buffer is to have x ms less stall behind one at the same reward. The relaxed player chooses x
 * freely; the search has pieces, each with the most favourable clock and the most favourable deadline in it.
 */
export class Sweep {
  readonly #problem: Problem;
  readonly #relaxed: boolean;
  readonly #fronts: Fronts;
  readonly #pending = new Pending();
  /** Row `rung`: the next arrival at that rung. */
  readonly #heads = new States();
  /** Per rung, the parent that comes after the one in `#heads`. */
  readonly #next: Int32Array;
  #parents = new States();
  #segment = 0;

  constructor(problem: Problem, { relaxed }: { relaxed: boolean }) {
    this.#problem = problem;
    this.#relaxed = relaxed;
    this.#fronts = new Fronts(problem.rungs, problem.change);
    this.#next = new Int32Array(problem.rungs);
    for (let rung = 0; rung < problem.rungs; rung += 1) this.#heads.append();
  }

  /** @param parents states before `segment` was requested, in the order of their clocks, as `advance` returns them */
  advance(parents: States, segment: number): States {
    const { rungs } = this.#problem;
    this.#parents = parents;
    this.#segment = segment;
    this.#fronts.clear();
    this.#next.fill(0);
    for (let rung = 0; rung < rungs; rung += 1) this.#arrive(rung);
    const children = new States();
    for (;;) {
      const rung = this.#earliestRung();
      const headMs = this.#heads.clockMs[rung]!;
      if (this.#pending.clockMs <= headMs) {
        if (this.#pending.clockMs === Infinity) return children;
        const row = children.append();
        this.#pending.take(children, row);
        this.#keepLast(children);
      } else {
        children.copyRow(children.append(), this.#heads, rung);
        this.#keepLast(children);
        this.#arrive(rung);
      }
    }
  }

  /** Drops the newest row again if it is dominated. */
  #keepLast(children: States): void {
    const row = children.length - 1;
    const rung = children.rung[row]!;
    const quality = children.quality[row]!;
    const reward = quality - this.#problem.muPerMs * children.stallMs[row]!;
    if (this.#fronts.covers(rung, reward, quality)) children.length -= 1;
    else this.#fronts.add(rung, reward, quality);
  }

  #earliestRung(): number {
    const { clockMs } = this.#heads;
    let earliest = 0;
    for (let rung = 1; rung < this.#problem.rungs; rung += 1)
      if (clockMs[rung]! < clockMs[earliest]!) earliest = rung;
    return earliest;
  }

  /** Puts the next arrival at this rung, which is neither dominated already nor sleeps, into `#heads`. */
  #arrive(rung: number): void {
    const { link, rungs, bits, quality, change, muPerMs } = this.#problem;
    const parents = this.#parents;
    const heads = this.#heads;
    const segmentBits = bits[this.#segment * rungs + rung]!;
    const dryMs = this.#problem.deadlineMs(this.#segment) - CHUNK_RULES.rttMs;
    const fullMs = this.#problem.deadlineMs(this.#segment + 1) - CHUNK_RULES.bufferCapMs;
    for (let parent = this.#next[rung]!; parent < parents.length; parent += 1) {
      const arrivalBits = parents.bits[parent]! + segmentBits;
      const arrivalMs = link.msAt(arrivalBits);
      const before = parents.stallMs[parent]!;
      const stallMs = before + Math.max(0, arrivalMs - dryMs - before);
      const sum = parents.quality[parent]! + quality[rung]! - change[parents.rung[parent]! * rungs + rung]!;
      if (this.#fronts.covers(rung, sum - muPerMs * stallMs, sum)) continue;
      heads.clockMs[rung] = arrivalMs;
      heads.bits[rung] = arrivalBits;
      heads.quality[rung] = sum;
      heads.stallMs[rung] = stallMs;
      heads.rung[rung] = rung;
      heads.parent[rung] = parent;
      const excessMs = fullMs + stallMs - arrivalMs;
      if (excessMs > 0) this.#sleep(rung, excessMs);
      else {
        this.#next[rung] = parent + 1;
        return;
      }
    }
    this.#next[rung] = parents.length;
    heads.clockMs[rung] = Infinity;
  }

  /** `excessMs`: by how much the buffer is above its cap. */
  #sleep(rung: number, excessMs: number): void {
    const arrivalMs = this.#heads.clockMs[rung]!;
    if (!this.#relaxed) {
      const steps = Math.ceil(excessMs / CHUNK_RULES.drainStepMs);
      this.#hold(rung, arrivalMs + steps * CHUNK_RULES.drainStepMs, 0);
      return;
    }
    this.#hold(rung, arrivalMs + excessMs, 0);
    for (let givenUpMs = 0; givenUpMs < excessMs; givenUpMs += PIECE_MS)
      this.#hold(rung, arrivalMs + Math.max(0, excessMs - givenUpMs - PIECE_MS), givenUpMs);
  }

  #hold(rung: number, clockMs: number, givenUpMs: number): void {
    const { link, muPerMs } = this.#problem;
    this.#pending.add(this.#heads, rung, { clockMs, bits: link.bitsAt(clockMs), givenUpMs, muPerMs });
  }
}

/** Width of the pieces in which the relaxed player chooses how much buffer to give up. */
const PIECE_MS = 1000;
