import { expect, test } from 'vitest';
import { pricedCeiling } from './ceiling.ts';
import { problemOf } from './problem.ts';
import { replayQoe } from './optimum.ts';
import { sequencesOf, tinyCase } from './tinyCase.testing.ts';
import { qoeModels } from '../../shared/qoe.ts';
import { CHUNK_RULES, createChunkWorld } from '../chunk/chunkWorld.ts';

/** Holds every sequence against the ceiling after each of its segments. Returns the least and the mean distance. */
function distances(seed: number, qoe: (typeof qoeModels)[number]) {
  const { trace, content } = tinyCase(seed);
  const problem = problemOf(trace, content, qoe);
  const qoeOf = (rungs: readonly number[]): number => replayQoe(rungs, { trace, content, qoe });
  const { ceiling, policy } = pricedCeiling(problem, (rungs) => ({ rungs, qoe: qoeOf(rungs) }));
  return sequencesOf(content).flatMap((rungs) => {
    const total = qoeOf(rungs);
    // A plan that stalls for so long that it is below a known policy is outside the ceiling's grid.
    if (total < policy.qoe) return [];
    const world = createChunkWorld(trace, content);
    let clockMs = trace.startMs;
    let stallMs = 0;
    let quality = 0;
    return rungs.map((rung, segment) => {
      world.step(rung);
      clockMs += world.delayMs - CHUNK_RULES.rttMs + world.sleepMs;
      if (segment > 0) {
        const before = rungs[segment - 1]!;
        stallMs += world.stallMs;
        quality += problem.quality[rung]! - problem.change[before * problem.rungs + rung]!;
      }
      const rest = ceiling.rest(segment + 1, rung, problem.link.bitsAt(clockMs), stallMs);
      return quality - problem.muPerMs * stallMs + rest - total;
    });
  });
}

test.each(qoeModels)('no good sequence ends above the ceiling of any of its states, QoE $id', (qoe) => {
  const all = Array.from({ length: 150 }, (_, index) => distances(index + 1, qoe)).flat();
  expect(all.length).toBeGreaterThan(500);
  expect(Math.min(...all)).toBeGreaterThan(-1e-6);
});
