import { qoePerSegment, type QoeModel } from '../shared/qoe.ts';
import type { Track } from './content.ts';
import type { Outcome } from './model.ts';

/** What a session was worth. The first segment is left out, as in every published score of this kind. */
interface OutcomeQoe {
  /** Segments that count: all but the first. */
  readonly segments: number;
  /** Σ over them, in the unit of q. */
  readonly sum: number;
  /** null when there is only one segment. */
  readonly perSegment: number | null;
  /** Times that the rung changed, from the first segment to the last. */
  readonly switches: number;
  /** Σ of the stalls; the join time is none. */
  readonly stallSeconds: number;
}

/**
 * The QoE of an outcome: Σ q(R_n) − µ T_n − |q(R_n) − q(R_{n−1})| over n = 2 … N (Mao et al., SIGCOMM 2017, Table 1).
 * The first segment is nobody's choice and its wait is the join time, so that it counts only as the rung before the
 * second.
 */
export function qoeOfOutcome({ rungs, waitMs }: Outcome, { ladder }: Track, model: QoeModel): OutcomeQoe {
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const qualities = model.qualities(bitratesKbps);
  const mu = model.mu(bitratesKbps);
  let [quality, variation, rebufferS, switches] = [0, 0, 0, 0];
  for (let segment = 1; segment < rungs.length; segment += 1) {
    const now = qualities[rungs[segment]!]!;
    quality += now;
    variation += Math.abs(now - qualities[rungs[segment - 1]!]!);
    rebufferS += waitMs[segment]! / 1000;
    if (rungs[segment] !== rungs[segment - 1]) switches += 1;
  }
  const segments = Math.max(0, rungs.length - 1);
  return {
    segments,
    sum: quality - mu * rebufferS - variation,
    perSegment: qoePerSegment({ segments, quality, variation, rebufferS }, mu),
    switches,
    stallSeconds: rebufferS,
  };
}
