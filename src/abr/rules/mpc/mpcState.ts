import type { CheckedMean } from '../../estimators/harmonicMean.ts';
import type { Ladder } from '../../ladder.ts';
import type { MediaType, RuleContext } from '../../rule.ts';

/** What both MPC rules remember. */
export interface MpcState {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly sizeBytes: RuleContext['sizeBytes'];
  /** q of each rung, and what a ms of stall costs of it. */
  readonly qualities: readonly number[];
  readonly muPerMs: number;
  readonly mean: CheckedMean;
}
