/**
 * What a plan is made for: the next `steps` segments, one rung each. The model of MPC (Yin et al., SIGCOMM 2015;
 * no cap on the buffer, no round trip):
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
