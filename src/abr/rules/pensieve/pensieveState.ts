import type { MediaType, RuleContext } from '../../rule.ts';
import type { Ladder } from '../../ladder.ts';
import type { TrainedLadder } from './trainedLadder.ts';

/** What Pensieve remembers. */
export interface PensieveState {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly sizeBytes: RuleContext['sizeBytes'];
  readonly trained: TrainedLadder;
  /** Of the last downloads, oldest first, as many as the net looks back on. */
  readonly ratesKbps: readonly number[];
  readonly downloadMs: readonly number[];
}
