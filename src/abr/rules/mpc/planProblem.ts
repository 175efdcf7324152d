import { transferMs } from '../../../shared/units.ts';
import { segmentBytes, type SegmentSizes } from '../../segmentBytes.ts';

/**
 * What a plan is made for: the next `steps` segments, one rung each. The model of MPC (Yin et al., SIGCOMM 2015;
 * no cap on the buffer; a round trip only in `mpc-latency`):
 *
 *     stall = max(d − B, 0)        B ← max(B − d, 0) + L        d = download time of the segment at its rung
 *     value = Σ q − variationWeight × Σ |q − q before| − mu × Σ stall
 */
export interface PlanProblem {
  /** Segments to plan, ≥ 1. */
  readonly steps: number;
  /** q of each rung, not descending: neither are bitrates, and every q of `qoe.ts` follows them. */
  readonly qualities: ArrayLike<number>;
  /** `downloadMs[step × rungs + rung]`, ≥ 0. No order is assumed: a higher rung may well be the smaller one. */
  readonly downloadMs: ArrayLike<number>;
  readonly segmentMs: number;
  readonly bufferMs: number;
  /** Rung of the segment before; null when there is none, then the first segment changes nothing. */
  readonly lastRung: number | null;
  /** q per ms of stall. */
  readonly muPerMs: number;
  /** 1 in `qoe.ts`. */
  readonly variationWeight: number;
}

/** The best plan, as far as anyone acts on it: only its first segment is requested, then a new plan is made. */
export interface Plan {
  readonly firstRung: number;
  readonly value: number;
  readonly stallMs: number;
}

/** Which segments, and how fast they come. */
interface Downloads {
  /** 0-based number of the first; null when the player cannot tell, then no size is known. */
  readonly segment: number | null;
  readonly steps: number;
  /** From the request to the first byte; 0 where that is part of the rate. */
  readonly latencyMs: number;
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
export function downloadTimesMs(
  sizes: SegmentSizes,
  { segment, steps, latencyMs, rateKbps }: Downloads,
): Float64Array {
  const rungs = sizes.ladder.length;
  if (scratch.length < steps * rungs) scratch = new Float64Array(steps * rungs);
  for (let step = 0; step < steps; step += 1) {
    const number = segment === null ? null : segment + step;
    for (let rung = 0; rung < rungs; rung += 1)
      scratch[step * rungs + rung] = latencyMs + transferMs(segmentBytes(sizes, number, rung), rateKbps);
  }
  return scratch;
}
