import type { MediaType, RuleContext } from '../../rule.ts';
import type { Ladder } from '../../ladder.ts';

/** What the rule is called, with weights and without. */
export const PENSIEVE_ENTRY = {
  id: 'pensieve',
  label: 'Pensieve',
  paper: 'Mao, Netravali, Alizadeh: Neural Adaptive Video Streaming with Pensieve, SIGCOMM 2017',
} as const;

/** What Pensieve remembers. */
export interface PensieveState {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly sizeBytes: RuleContext['sizeBytes'];
  readonly trained: TrainedLadder;
  /** Rates of the last downloads, oldest first, as many as the net looks back on; `downloadMs` has their times. */
  readonly ratesKbps: readonly number[];
  readonly downloadMs: readonly number[];
}

/** How a net that was trained on one ladder reads another. */
export interface TrainedLadder {
  /** Rung of the present ladder for each output of the net. */
  readonly rungOf: readonly number[];
  /** Rates, bitrates and sizes are multiplied by this before the net sees them. */
  readonly scale: number;
}
