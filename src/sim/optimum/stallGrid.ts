import { CHUNK_RULES } from '../chunk/chunkRules.ts';
import type { Problem } from './problem.ts';

/** What the link carries until each deadline, for a grid of stalls. */
export interface StallGrid {
  readonly stepMs: number;
  readonly points: number;
  /** `[segment * points + point]`: bits until the segment's deadline plus `point * stepMs`. */
  readonly bits: Float64Array;
  /** The highest rate within the step after that, bits per ms. */
  readonly ratePerMs: Float64Array;
}

/** @param maxMs no plan that matters stalls for longer */
export function stallGrid(problem: Problem, { stepMs, maxMs }: { stepMs: number; maxMs: number }): StallGrid {
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
