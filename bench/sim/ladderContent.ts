import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { envivio } from '../../src/sim/envivio.ts';
import type { Content } from '../../src/sim/content.ts';

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
