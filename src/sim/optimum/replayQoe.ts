import type { RateTrace } from '../../network/rateTrace.ts';
import type { QoeModel } from '../../shared/qoe.ts';
import { createChunkWorld } from '../chunk/chunkWorld.ts';
import type { Content } from '../content.ts';

interface Scene {
  readonly trace: RateTrace;
  readonly content: Content;
  readonly qoe: QoeModel;
}

/** QoE of these rungs in the chunk model: Σ q − µ Σ stall − Σ |Δq|, without the first segment's. */
export function replayQoe(rungs: readonly number[], { trace, content, qoe }: Scene): number {
  const bitratesKbps = content.video.ladder.map(({ bitrateKbps }) => bitrateKbps);
  const qualities = qoe.qualities(bitratesKbps);
  const mu = qoe.mu(bitratesKbps);
  const world = createChunkWorld(trace, content);
  let sum = 0;
  rungs.forEach((rung, segment) => {
    world.step(rung);
    if (segment === 0) return;
    const quality = qualities[rung]!;
    sum += quality - mu * (world.stallMs / 1000) - Math.abs(quality - qualities[rungs[segment - 1]!]!);
  });
  return sum;
}
