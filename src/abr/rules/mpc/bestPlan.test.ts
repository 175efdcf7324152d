import { describe, expect, it } from 'vitest';
import { qoeModels } from '../../../shared/qoe.ts';
import { pick } from '../../../shared/registry.ts';
import { bestPlan } from './bestPlan.ts';
import { bruteForcePlan } from './bruteForcePlan.testing.ts';
import type { PlanProblem } from './planProblem.ts';

const ENVIVIO_KBPS = [300, 750, 1200, 1850, 2850, 4300];
/** Segments 20 to 24 of EnvivioDash3, bytes by rung. */
const ENVIVIO_BYTES = [
  [157671, 157812, 163927, 137654, 146754],
  [386472, 399894, 401853, 343800, 359903],
  [601738, 616206, 656471, 536667, 587236],
  [891604, 955231, 968026, 874175, 897976],
  [1415116, 1468126, 1505760, 1323990, 1383735],
  [2039773, 2176469, 2221506, 2044075, 2186790],
];

/** mulberry32: the same cases in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Video {
  readonly bitratesKbps: readonly number[];
  readonly bytes: (step: number, rung: number) => number;
}
type Given = Pick<PlanProblem, 'steps' | 'bufferMs' | 'lastRung'> & {
  readonly rateKbps: number;
  readonly qoe: string;
  readonly variationWeight?: number;
};

function problemOf({ bitratesKbps, bytes }: Video, given: Given): PlanProblem {
  const { steps, bufferMs, lastRung, rateKbps, variationWeight = 1 } = given;
  const qoe = pick(qoeModels, given.qoe);
  const downloadMs = Array.from({ length: steps }, (_, step) =>
    bitratesKbps.map((_, rung) => (bytes(step, rung) * 8) / rateKbps),
  ).flat();
  return {
    steps,
    qualities: qoe.qualities(bitratesKbps),
    downloadMs,
    segmentMs: 4000,
    bufferMs,
    lastRung,
    muPerMs: qoe.mu(bitratesKbps) / 1000,
    variationWeight,
  };
}

const envivio: Video = {
  bitratesKbps: ENVIVIO_KBPS,
  bytes: (step, rung) => ENVIVIO_BYTES[rung]![step]!,
};
/** Every segment as long as its bitrate says: then plans of the linear QoE tie exactly, again and again. */
const nominal = (bitratesKbps: readonly number[]): Video => ({
  bitratesKbps,
  bytes: (_, rung) => bitratesKbps[rung]! * 500,
});

function expectExact(problem: PlanProblem): void {
  const found = bestPlan(problem);
  const wanted = bruteForcePlan(problem);
  const about = JSON.stringify(problem);
  expect(Math.abs(found.value - wanted.value), about).toBeLessThanOrEqual(1e-9);
  expect(found.firstRung, about).toBe(wanted.firstRung);
}

/** `cases` problems, each drawn from one stream of random numbers. */
function eachOf(cases: number, seed: number, draw: (next: () => number) => PlanProblem): void {
  const next = random(seed);
  for (let index = 0; index < cases; index += 1) expectExact(draw(next));
}

const oneOf = <Value>(values: readonly Value[], next: () => number): Value =>
  values[Math.floor(next() * values.length)]!;
const QOES = qoeModels.map(({ id }) => id);
const BUFFERS_MS = [0, 0, 1, 500, 4000, 8000, 12_345, 30_000, 60_000, 1e7];

const givenFor = (rungs: number, next: () => number, steps = 1 + Math.floor(next() * 5)): Given => ({
  steps,
  qoe: oneOf(QOES, next),
  bufferMs: next() < 0.5 ? oneOf(BUFFERS_MS, next) : next() * 40_000,
  lastRung: next() < 0.1 ? null : Math.floor(next() * rungs),
  rateKbps: 50 * 400 ** next(),
  variationWeight: oneOf([1, 1, 1, 0, 3], next),
});

describe('the best plan is the one that looking at all of them finds', () => {
  it('on Envivio, over all five segments', () => {
    eachOf(400, 1, (next) => problemOf(envivio, givenFor(6, next, 5)));
  });

  it('on Envivio, near its end', () => {
    eachOf(3000, 2, (next) => problemOf(envivio, givenFor(6, next, 1 + Math.floor(next() * 4))));
  });

  it('where plans tie exactly: sizes in step with bitrates, round rates and buffers', () => {
    eachOf(1500, 3, (next) =>
      problemOf(nominal(ENVIVIO_KBPS), {
        steps: 1 + Math.floor(next() * 4),
        qoe: oneOf(['lin', 'lin', 'hd'], next),
        bufferMs: oneOf(BUFFERS_MS, next),
        lastRung: Math.floor(next() * 6),
        rateKbps: oneOf([300, 600, 750, 1000, 1200, 2000, 4300, 8600], next),
      }),
    );
  });

  it('on ladders of 1 to 7 rungs with sizes that follow nothing', () => {
    eachOf(3000, 4, (next) => {
      const rungs = 1 + Math.floor(next() * 7);
      const bitratesKbps = Array.from({ length: rungs }, () => 100 + next() * 8000).sort((a, b) => a - b);
      const sizes = Array.from({ length: 5 * rungs }, () => 10 ** (3 + 4 * next()));
      const steps = 1 + Math.floor(next() * 4);
      return problemOf(
        { bitratesKbps, bytes: (step, rung) => sizes[step * rungs + rung]! },
        givenFor(rungs, next, steps),
      );
    });
  });

  it('where rungs have the same bitrate', () => {
    eachOf(600, 5, (next) => {
      const bitratesKbps = oneOf(
        [
          [500, 500],
          [300, 300, 300, 300],
          [300, 800, 800, 800, 2000],
        ],
        next,
      );
      return problemOf(nominal(bitratesKbps), givenFor(bitratesKbps.length, next));
    });
  });

  it('on 10 rungs', () => {
    const bitratesKbps = [235, 375, 560, 750, 1050, 1750, 2350, 3000, 4300, 5800];
    eachOf(25, 6, (next) => problemOf(nominal(bitratesKbps), givenFor(10, next, 5)));
    eachOf(200, 7, (next) => problemOf(nominal(bitratesKbps), givenFor(10, next, 3)));
  });
});

describe('the best plan', () => {
  const given = { qoe: 'lin', steps: 5, bufferMs: 20_000, lastRung: 0, rateKbps: 20_000 };

  it('climbs at once where the path carries everything: value 5 × 4.3 less the step of 4.0', () => {
    const plan = bestPlan(problemOf(envivio, given));
    expect(plan.firstRung).toBe(5);
    expect(plan.value).toBeCloseTo(17.5, 9);
    expect(plan.stallMs).toBe(0);
  });

  it('takes the lowest first rung among equals: a step up in the last segment gains what it costs', () => {
    expect(bestPlan(problemOf(envivio, { ...given, steps: 1 })).firstRung).toBe(0);
    expect(bestPlan(problemOf(envivio, { ...given, steps: 1, lastRung: 3 })).firstRung).toBe(3);
  });

  it('says how long its plan stalls', () => {
    // 300 kbit/s for 4 s over 100 kbit/s take 12 s: 12 s with no buffer, then 8 s beyond each 4 s.
    const slow = { ...given, steps: 2, bufferMs: 0, rateKbps: 100 };
    expect(bestPlan(problemOf(nominal(ENVIVIO_KBPS), slow)).stallMs).toBeCloseTo(20_000, 6);
  });

  it('forgets the problem before, larger or smaller', () => {
    const large = problemOf(nominal(Array.from({ length: 20 }, (_, index) => 200 + 300 * index)), given);
    const small = problemOf(nominal([300, 900]), { ...given, steps: 3 });
    const first = [bestPlan(small), bestPlan(large)];
    expect([bestPlan(small), bestPlan(large)]).toEqual(first);
  });
});
