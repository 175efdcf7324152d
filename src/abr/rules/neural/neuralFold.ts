import type { QoeModel } from '../../../shared/qoe.ts';
import type { Ladder } from '../../ladder.ts';
import type { Rule } from '../../rule.ts';
import { withDownload, type NeuralState } from './neuralState.ts';

/** How the state of the net, and of the tree, comes about. */
export const neuralFold = (qoe: QoeModel): Pick<Rule<NeuralState>, 'start' | 'observe'> => ({
  start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
    mediaType,
    ladder,
    segmentMs,
    sizeBytes,
    worth: worthOf(qoe, ladder),
    measured: null,
  }),
  observe(state, event) {
    if (event.kind === 'ladder') {
      const { ladder, segmentMs } = event;
      return { ...state, ladder, segmentMs, worth: worthOf(qoe, ladder) };
    }
    if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
    return { ...state, measured: withDownload(state.measured, event) };
  },
});

/** q / µ by rung: what a segment is worth, in seconds of stall. */
function worthOf(qoe: QoeModel, ladder: Ladder): number[] {
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const mu = qoe.mu(bitratesKbps);
  return qoe.qualities(bitratesKbps).map((quality) => quality / mu);
}
