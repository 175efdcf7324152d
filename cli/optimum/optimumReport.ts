import type { Anchor } from './anchors.ts';
import type { OptimumScore } from '../../experiment/simulate/simTask.ts';

/** What `--json` writes of one trace. QoE is summed without the first segment. */
export interface OptimumReport {
  readonly trace: string;
  readonly qoe: number;
  readonly upperBound: number;
  readonly qoePerChunk: number;
  readonly rungs: readonly number[];
  readonly searchMs: number;
  /** How far the policy is above the known one, and the bound below the known one; null without a known figure. */
  readonly aboveKnownPolicy: number | null;
  readonly belowKnownBound: number | null;
}

interface Known {
  readonly trace: string;
  readonly segments: number;
  readonly anchor: Anchor | undefined;
}

export function optimumReport(score: OptimumScore, { trace, segments, anchor }: Known): OptimumReport {
  const chunks = segments - 1;
  const qoe = score.qoePerChunk * chunks;
  const upperBound = score.upperBoundPerChunk * chunks;
  return {
    trace,
    qoe,
    upperBound,
    qoePerChunk: score.qoePerChunk,
    rungs: score.rungs,
    searchMs: score.searchMs,
    aboveKnownPolicy: anchor ? qoe - anchor.lower : null,
    belowKnownBound: anchor ? anchor.upper - upperBound : null,
  };
}
