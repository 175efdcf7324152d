import type { Problem } from './problem.ts';
import { States } from './states.ts';
import { Sweep, type SweepOptions } from './sweep.ts';

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
