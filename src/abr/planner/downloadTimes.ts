import { transferMs } from '../../shared/units.ts';
import { segmentBytes, type SegmentSizes } from '../segmentBytes.ts';

/** Which segments, and how fast they come. */
export interface Downloads {
  /** 0-based number of the first; null when the player cannot tell, then no size is known. */
  readonly segment: number | null;
  readonly steps: number;
  readonly rateKbps: number;
}

let scratch = new Float64Array(0);

/**
 * `[step × rungs + rung]`: ms that each of the next segments takes at each rung, for `bestPlan`. The first row is the
 * segment to be requested now. Pensieve's `mpc.py` begins one further: its index counts the remaining segments without
 * the one to be requested.
 *
 * The array is overwritten by the next call.
 */
export function downloadTimesMs(sizes: SegmentSizes, { segment, steps, rateKbps }: Downloads): Float64Array {
  const rungs = sizes.ladder.length;
  if (scratch.length < steps * rungs) scratch = new Float64Array(steps * rungs);
  for (let step = 0; step < steps; step += 1) {
    const number = segment === null ? null : segment + step;
    for (let rung = 0; rung < rungs; rung += 1)
      scratch[step * rungs + rung] = transferMs(segmentBytes(sizes, number, rung), rateKbps);
  }
  return scratch;
}
