import type { QoeModel } from '../../../qoe.ts';
import { ok, type Result } from '../../../result.ts';
import type { Ladder } from '../../ladder.ts';
import type { Rule } from '../../rule.ts';
import { tunableRule, type RuleBody } from '../../tunableRule.ts';
import { unmeasured } from '../../unmeasured.ts';
import { boundsOf, UNBOUNDED } from './bounds.ts';
import { neuralAnswer } from './neuralAnswer.ts';
import { NEURAL_ENTRY, readParameters, type NeuralParameters } from './neuralEntry.ts';
import { NeuralNet } from './neuralNet.ts';
import { withDownload, type NeuralState } from './neuralState.ts';
import type { NeuralWeights } from './neuralWeights.ts';
import { readNeuralWeights } from './readNeuralWeights.ts';

/**
 * The net at work. It scores each rung by what the rung would cost and be worth, in ratios and in seconds of stall, and
 * takes the one with the highest score, of equal ones the lowest; then the guard may hold that within `boundsOf`.
 */
export function weightedNeural(parameters: NeuralParameters, text: string): Result<Rule<NeuralState>> {
  const weights = readNeuralWeights(text);
  return weights.ok ? ok(weighted(parameters, weights.value)) : weights;
}

const weighted = ({ qoe, guard }: NeuralParameters, weights: NeuralWeights): Rule<NeuralState> =>
  tunableRule({ qoe, guard, weights: weights.name }, (parameters) => {
    if (parameters.weights !== weights.name)
      throw new Error(`The parameter weights of neural is the name of its net, ${weights.name}.`);
    return bodyOf(parameters, weights);
  });

function bodyOf(parameters: NeuralParameters, weights: NeuralWeights): RuleBody<NeuralState> {
  const { qoe, guard } = readParameters(parameters);
  const net = new NeuralNet(weights);
  return {
    ...NEURAL_ENTRY,
    start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
      mediaType,
      ladder,
      segmentMs,
      sizeBytes,
      worth: worthOf(qoe, ladder),
      measured: null,
    }),
    observe(state, event) {
      if (event.kind === 'ladder')
        return {
          ...state,
          ladder: event.ladder,
          segmentMs: event.segmentMs,
          worth: worthOf(qoe, event.ladder),
        };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      return { ...state, measured: withDownload(state.measured, event) };
    },
    decide(state, moment) {
      const { measured } = state;
      if (measured === null) return unmeasured(state.ladder, moment);
      const asked = { state, measured, moment };
      const scores = net.scoresFor(asked);
      const guarded = guard === 'always' || (guard === 'outside' && net.isOutside());
      return neuralAnswer(net, asked, { scores, bounds: guarded ? boundsOf(asked) : UNBOUNDED });
    },
  };
}

/** q / µ by rung: what a segment is worth, in seconds of stall. */
function worthOf(qoe: QoeModel, ladder: Ladder): number[] {
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const mu = qoe.mu(bitratesKbps);
  return qoe.qualities(bitratesKbps).map((quality) => quality / mu);
}
