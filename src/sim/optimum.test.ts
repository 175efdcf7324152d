import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RateTrace } from '../network/rateTrace.ts';
import { qoeModels, type QoeModel } from '../qoe.ts';
import { pick } from '../registry.ts';
import { describeWithTraces } from '../sharedTraces.testing.ts';
import type { Content } from './content.ts';
import { createChunkWorld } from './chunk/chunkWorld.ts';
import { envivio } from './envivio.ts';
import { offlineOptimum } from './optimum.ts';
import { replayQoe } from './optimum/replayQoe.ts';
import { testTrace } from './trace.testing.ts';

const linear = pick(qoeModels, 'lin');

/** Numbers in [0, 1) that are the same each time: Lehmer's generator (Park and Miller, CACM 1988). */
function lehmer(seed: number): () => number {
  let state = seed * 48_271 + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Case {
  readonly trace: RateTrace;
  readonly content: Content;
}

/** A tiny video over a short trace with outages: it wraps, stalls, and with long segments it sleeps at the cap. */
function tinyCase(seed: number): Case {
  const random = lehmer(seed);
  const between = (least: number, most: number): number => least + random() * (most - least);
  const rungs = 2 + Math.floor(random() * 2);
  const segments = 4 + Math.floor(random() * 3);
  const segmentMs = [2000, 4000, 20_000, 30_000][Math.floor(random() * 4)]!;
  const ladder = Array.from({ length: rungs }, (_, rung) => ({
    bitrateKbps: Math.round(300 * 1.9 ** rung * between(1, 1.4)),
    width: null,
    height: null,
  }));
  const sizesBytes = ladder.map(({ bitrateKbps }) =>
    Array.from({ length: segments }, () => Math.ceil(((bitrateKbps * segmentMs) / 8) * between(0.6, 1.5))),
  );
  const most = random() < 0.4 ? 20_000 : 4000;
  let endMs = 0;
  const pieces = Array.from({ length: 3 + Math.floor(random() * 10) }, () => {
    endMs += between(300, segmentMs);
    return { endMs, rateKbps: random() < 0.2 ? 0 : between(100, most) };
  });
  pieces[0]!.rateKbps = 900;
  return {
    trace: {
      name: `seed ${seed}`,
      endMs: Float64Array.from(pieces, (piece) => piece.endMs),
      rateKbps: Float64Array.from(pieces, (piece) => piece.rateKbps),
      rttMs: null,
      startMs: random() < 0.5 ? 0 : between(0, pieces[0]!.endMs * 0.9),
    },
    content: {
      name: 'tiny',
      video: { ladder, segmentMs, segments, sizesBytes, initBytes: null },
      audio: null,
    },
  };
}

const CASES = 300;

/** The best of all sequences, each played in the chunk model. */
function bestByTrying({ trace, content }: Case, qoe: QoeModel): number {
  const { segments, ladder } = content.video;
  const rungs = [Math.min(1, ladder.length - 1), ...Array<number>(segments - 1).fill(0)];
  let best = -Infinity;
  for (;;) {
    best = Math.max(best, replayQoe(rungs, { trace, content, qoe }));
    let at = segments - 1;
    while (at > 0 && rungs[at] === ladder.length - 1) rungs[at--] = 0;
    if (at === 0) return best;
    rungs[at]! += 1;
  }
}

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

describeWithTraces('against the published optimum of HSDPA', (folder) => {
  const [, ...lines] = readFileSync(path.join(folder, 'anchors/hsdpa142_per_trace.csv'), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.map((line) => line.split(','));
  // `pitwall optimum --anchors` does all 142; these have outages, stalls, fast links with sleeps, and one wrap or more.
  const some = ['norway_bus_1', 'norway_ferry_10', 'norway_tram_3', 'norway_tram_40', 'norway_train_8'];

  test.each(rows.filter(([name]) => some.includes(name!)))('%s', (name, lower, upper) => {
    const { feasible, upperBound } = offlineOptimum(testTrace(folder, name!), envivio, linear);
    expect(feasible.qoe).toBeGreaterThanOrEqual(Number(lower) - 0.05);
    expect(upperBound).toBeLessThanOrEqual(Number(upper) + 0.05);
    expect(feasible.qoe).toBeLessThanOrEqual(upperBound);
  });
});
