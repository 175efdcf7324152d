import type { RateTrace } from '../../src/network/rateTrace.ts';
import { readFile } from 'node:fs/promises';
import { shippedWeights } from '../../node/rules.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { envivio } from '../../src/sim/envivio.ts';
import type { Content } from '../../src/sim/content.ts';

export interface SimSectionOptions {
  readonly traces: readonly RateTrace[];
  /** Shows that it runs, not how fast. */
  readonly quick: boolean;
  readonly say: (progress: string) => void;
}

/**
 * Does some work and measures its time on one core, ms. Where something else takes the core, wall time grows and
 * processor time does not; processor time in turn counts V8's own threads, which collect garbage on other cores. So the
 * lesser of the two.
 */
export function timedOnCore<Value>(work: () => Value): { readonly value: Value; readonly tookMs: number } {
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  const value = work();
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { value, tookMs: Math.min(elapsedMs, (user + system) / 1000) };
}

/** Every rule, able to decide: with the weights it comes with, or made-up ones, which take as long. */
export const decidableRules = (): Promise<readonly Rule[]> =>
  Promise.all(
    abrRules.map(async (rule) => {
      if (!rule.withWeights) return rule;
      const able = await rule.withWeights(await weightsFor(rule));
      if (!able.ok) throw new Error(able.error);
      return able.value;
    }),
  );

async function weightsFor(rule: Rule): Promise<string> {
  const shipped = shippedWeights(rule);
  return shipped === null ? JSON.stringify(testWeights()) : await readFile(shipped, 'utf8');
}

const SEGMENTS = 48;
const SEGMENT_MS = 4000;

/** A video of so many rungs: Envivio at six, else rungs at equal ratios between 235 and 5800 kbit/s, sizes ± 20 %. */
export function ladderContent(rungs: number): Content {
  if (rungs === envivio.video.ladder.length) return envivio;
  const random = seededRandom(rungs);
  const ladder = Array.from({ length: rungs }, (_, rung) => ({
    bitrateKbps: Math.round(235 * (5800 / 235) ** (rung / (rungs - 1))),
    width: null,
    height: null,
  }));
  // The segment decides how hard it is to encode, for all rungs alike, as in real videos.
  const hardness = Array.from({ length: SEGMENTS + 1 }, () => 0.8 + 0.4 * random());
  const sizesBytes = ladder.map(({ bitrateKbps }) =>
    hardness.map((factor) => Math.round((bitrateKbps * SEGMENT_MS * factor) / 8)),
  );
  const video = { ladder, segmentMs: SEGMENT_MS, segments: SEGMENTS, sizesBytes, initBytes: null };
  return { name: `${rungs} rungs`, video, audio: null };
}
