import { CHUNK_RULES } from '../chunk/chunkWorld.ts';
import type { Ceiling } from './ceiling.ts';
import { Fronts } from './fronts.ts';
import { Pending, States } from './states.ts';
import type { Problem } from './problem.ts';

interface SweepOptions {
  /** False for the chunk model itself. */
  readonly relaxed: boolean;
  readonly ceiling: Ceiling;
  /** What cannot reach this QoE any more is dropped. */
  readonly floor: number;
}

/**
 * One more segment, for every state and every rung, in the order of the clock; what is dominated on arrival is dropped.
 *
 * A link is first in, first out, so for one rung the arrivals come in the order of their requests. The sweep merges
 * these rows, one per rung, and those that sleep at the buffer's cap, which it holds back until their time.
 *
 * **Relaxed**: at the cap the player sleeps only as long as it must, not in whole steps of 500 ms. Whatever the chunk
 * model allows, this player does no worse with the same rungs: by the argument that follows, with the model as B.
 *
 * Dominance: let A and B have the same last rung, A's clock ≤ B's, A's stalls ≤ B's, and A's quality ≥ B's. A imitates B
 * rung by rung, and stays ahead in all three:
 * - arrival: A asks no later, so its segment comes no later;
 * - stalls become max(stalls, arrival + 80 ms − deadline), see problem.ts: no less for B;
 * - clock becomes max(arrival, deadline + stalls − cap): no earlier for B;
 * - quality grows by the same.
 * So A ends with quality − µ × stalls no less than B's. Across rungs the same with the price of one change, see fronts.ts.
 *
 * **Exact** (`relaxed` false): each state is one that the chunk model can be in. With steps of 500 ms the third point may
 * fail by a part of a step, so here dominance is a rule of thumb: this finds policies, not bounds.
 */
class Sweep {
  readonly #problem: Problem;
  readonly #relaxed: boolean;
  readonly #ceiling: Ceiling;
  readonly #floor: number;
  readonly #fronts: Fronts;
  readonly #pending = new Pending();
  /** Row `rung`: the next arrival at that rung. */
  readonly #heads = new States();
  /** Per rung, the parent that comes after the one in `#heads`. */
  readonly #next: Int32Array;
  #parents = new States();
  #segment = 0;

  constructor(problem: Problem, { relaxed, ceiling, floor }: SweepOptions) {
    this.#problem = problem;
    this.#relaxed = relaxed;
    this.#ceiling = ceiling;
    this.#floor = floor;
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
    const stallMs = children.stallMs[row]!;
    if (this.#fronts.covers(rung, stallMs, quality)) children.length -= 1;
    else this.#fronts.add(rung, stallMs, quality);
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
    const ceiling = this.#ceiling;
    const segmentBits = bits[this.#segment * rungs + rung]!;
    const dryMs = this.#problem.deadlineMs(this.#segment) - CHUNK_RULES.rttMs;
    const fullMs = this.#problem.deadlineMs(this.#segment + 1) - CHUNK_RULES.bufferCapMs;
    for (let parent = this.#next[rung]!; parent < parents.length; parent += 1) {
      const arrivalBits = parents.bits[parent]! + segmentBits;
      const arrivalMs = link.msAt(arrivalBits);
      const before = parents.stallMs[parent]!;
      const stallMs = before + Math.max(0, arrivalMs - dryMs - before);
      const sum = parents.quality[parent]! + quality[rung]! - change[parents.rung[parent]! * rungs + rung]!;
      const reward = sum - muPerMs * stallMs;
      if (this.#fronts.covers(rung, stallMs, sum)) continue;
      if (reward + ceiling.rest(this.#segment + 1, rung, arrivalBits, stallMs) < this.#floor) continue;
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
    const { link, muPerMs } = this.#problem;
    const heads = this.#heads;
    const { drainStepMs } = CHUNK_RULES;
    const sleepMs = this.#relaxed ? excessMs : Math.ceil(excessMs / drainStepMs) * drainStepMs;
    const clockMs = heads.clockMs[rung]! + sleepMs;
    const bits = link.bitsAt(clockMs);
    const stallMs = heads.stallMs[rung]!;
    const reward = heads.quality[rung]! - muPerMs * stallMs;
    if (reward + this.#ceiling.rest(this.#segment + 1, rung, bits, stallMs) < this.#floor) return;
    heads.clockMs[rung] = clockMs;
    heads.bits[rung] = bits;
    this.#pending.add(heads, rung);
  }
}

/** What a search found: the highest reward without the first segment's, and the rungs that lead there. */
export interface Found {
  readonly reward: number;
  readonly rungs: readonly number[];
}

/**
 * Dynamic programming over the segments; see sweep.ts for the states and what is dropped. Null when nothing reaches the
 * floor.
 */
export function search(problem: Problem, options: SweepOptions): Found | null {
  const sweep = new Sweep(problem, options);
  const levels = [firstStates(problem)];
  for (let segment = 1; segment < problem.segments; segment += 1)
    levels.push(sweep.advance(levels[segment - 1]!, segment));
  return bestOf(levels, problem.muPerMs);
}

function firstStates({ link, firstArrivalMs, firstRung }: Problem): States {
  const states = new States();
  const row = states.append();
  states.clockMs[row] = firstArrivalMs;
  states.bits[row] = link.bitsAt(firstArrivalMs);
  states.rung[row] = firstRung;
  return states;
}

function bestOf(levels: readonly States[], muPerMs: number): Found | null {
  const last = levels.at(-1)!;
  if (last.length === 0) return null;
  const rewardOf = (row: number): number => last.quality[row]! - muPerMs * last.stallMs[row]!;
  let best = 0;
  for (let row = 1; row < last.length; row += 1) if (rewardOf(row) > rewardOf(best)) best = row;
  const rungs: number[] = [];
  let row = best;
  for (const states of levels.toReversed()) {
    rungs.push(states.rung[row]!);
    row = states.parent[row]!;
  }
  return { reward: rewardOf(best), rungs: rungs.reverse() };
}
