import type { Ladder } from '../../ladder.ts';

/** How a net that was trained on one ladder reads another. */
export interface TrainedLadder {
  /** Rung of the present ladder for each output of the net. */
  readonly rungOf: readonly number[];
  /** Rates, bitrates and sizes are multiplied by this before the net sees them. */
  readonly scale: number;
}

/**
 * The present ladder in the eyes of the net. Everything that is measured in bits is scaled so that both top rungs are
 * equal, and each output stands for the rung of nearest bitrate, by ratio; of two equally near the lower.
 *
 * The scaling is sound for the linear QoE, whose µ is the top rung: with all bits times a constant, the same rungs give
 * the same download times and stalls and the QoE times that constant. Without it rows 2 and 4, in absolute Mbytes,
 * leave the trained range on any higher ladder, and a net for 4.3 Mbit/s would never ask for more.
 */
export function trainedLadder(ladder: Ladder, trainedKbps: readonly number[]): TrainedLadder {
  const scale = trainedKbps.at(-1)! / ladder.at(-1)!.bitrateKbps;
  return { scale, rungOf: trainedKbps.map((kbps) => nearest(ladder, kbps / scale)) };
}

function nearest(ladder: Ladder, wantedKbps: number): number {
  let found = 0;
  let min = Infinity;
  ladder.forEach(({ bitrateKbps }, rung) => {
    const distance = Math.abs(Math.log(bitrateKbps / wantedKbps));
    if (distance < min - 1e-12) {
      min = distance;
      found = rung;
    }
  });
  return found;
}
