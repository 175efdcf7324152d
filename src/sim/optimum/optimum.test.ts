import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { qoeModels, type QoeModel } from '../../shared/qoe.ts';
import { pick } from '../../shared/registry.ts';
import { describeWithTraces } from '../../shared/sharedTraces.testing.ts';
import { createChunkWorld } from '../chunk/chunkWorld.ts';
import { envivio } from '../envivio.ts';
import { offlineOptimum, replayQoe } from './optimum.ts';
import { CASES, sequencesOf, tinyCase, type TinyCase } from './tinyCase.testing.ts';
import { testTrace } from '../trace.testing.ts';

const linear = pick(qoeModels, 'lin');

/** The best of all sequences, each played in the chunk model. */
const bestByTrying = ({ trace, content }: TinyCase, qoe: QoeModel): number =>
  Math.max(...sequencesOf(content).map((rungs) => replayQoe(rungs, { trace, content, qoe })));

test('the tiny videos stall, sleep at the cap, and outlast their traces', () => {
  const counts = { stalls: 0, sleeps: 0, wraps: 0 };
  for (let seed = 1; seed <= CASES; seed += 1) {
    const { trace, content } = tinyCase(seed);
    const world = createChunkWorld(trace, content);
    let clockMs = trace.startMs;
    while (!world.done) {
      world.step(world.segment % content.video.ladder.length);
      clockMs += world.delayMs + world.sleepMs;
      if (world.segment > 1 && world.stallMs > 0) counts.stalls += 1;
      if (world.sleepMs > 0) counts.sleeps += 1;
    }
    if (clockMs > trace.endMs.at(-1)!) counts.wraps += 1;
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50);
});

describe.each(qoeModels)('against all sequences of tiny videos, QoE $id', (qoe) => {
  const results = Array.from({ length: CASES }, (_, index) => {
    const tiny = tinyCase(index + 1);
    return { tiny, best: bestByTrying(tiny, qoe), found: offlineOptimum(tiny.trace, tiny.content, qoe) };
  });

  test('no sequence exceeds the bound', () => {
    for (const { best, found } of results) expect(found.upperBound).toBeGreaterThanOrEqual(best - 1e-9);
  });

  test('the policy is the best there is', () => {
    const missed = results.map(({ best, found }) => best - found.feasible.qoe);
    expect(Math.min(...missed)).toBeGreaterThan(-1e-9);
    expect(missed.filter((loss) => loss > 1e-6)).toEqual([]);
  });

  test('its rungs give its QoE, and begin with the forced one', () => {
    for (const { tiny, found } of results) {
      expect(replayQoe(found.feasible.rungs, { ...tiny, qoe })).toBe(found.feasible.qoe);
      expect(found.feasible.rungs[0]).toBe(1);
      expect(found.feasible.rungs).toHaveLength(tiny.content.video.segments);
    }
  });
});

test('a ladder of one rung and a video of one segment have their only policy', () => {
  const { trace } = tinyCase(1);
  const ladder = [{ bitrateKbps: 500, width: null, height: null }];
  const video = { ladder, segmentMs: 2000, segments: 1, sizesBytes: [[60_000]], initBytes: null };
  const found = offlineOptimum(trace, { name: 'one', video, audio: null }, linear);
  expect(found.feasible).toEqual({ qoe: 0, rungs: [0] });
});

test('a link that stalls even the lowest rung for minutes takes no longer than others', () => {
  const trace = {
    name: 'slow',
    endMs: Float64Array.of(60_000, 120_000, 180_000, 240_000),
    rateKbps: Float64Array.of(64, 128, 0, 192),
    rttMs: null,
    startMs: 0,
  };
  const { feasible, upperBound } = offlineOptimum(trace, envivio, linear);
  expect(feasible.rungs.slice(1).every((rung) => rung === 0)).toBe(true);
  expect(upperBound - feasible.qoe).toBeLessThan(1e-5);
}, 3000);

describeWithTraces('against the published optimum of HSDPA', (folder) => {
  const [, ...lines] = readFileSync(path.join(folder, 'anchors/hsdpa142_per_trace.csv'), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.map((line) => line.split(','));
  const results = rows.map(([name, lower, upper]) => ({
    ...offlineOptimum(testTrace(folder, name!), envivio, linear),
    lower: Number(lower),
    upper: Number(upper),
  }));

  test('are 142 traces', () => expect(results).toHaveLength(142));

  test('no policy is worse than the known one, no bound higher', () => {
    expect(Math.min(...results.map(({ feasible, lower }) => feasible.qoe - lower))).toBeGreaterThan(-0.05);
    expect(Math.min(...results.map(({ upper, upperBound }) => upper - upperBound))).toBeGreaterThan(-0.05);
  });

  test('the mean is 54.0 or more, and every policy is proven to be the best', () => {
    const mean = results.reduce((sum, { feasible }) => sum + feasible.qoe, 0) / results.length;
    expect(mean).toBeGreaterThanOrEqual(54);
    const gaps = results.map(({ feasible, upperBound }) => upperBound - feasible.qoe);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...gaps)).toBeLessThan(1e-5);
  });
});
