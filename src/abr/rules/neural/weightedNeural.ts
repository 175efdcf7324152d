import { ok, type Result } from '../../../shared/result.ts';
import type { Rule } from '../../rule.ts';
import { tunableRule, type RuleBody } from '../../parameters.ts';
import { unmeasured } from '../../answer.ts';
import { boundsOf, UNBOUNDED } from './bounds.ts';
import { neuralAnswer } from './neuralAnswer.ts';
import { NEURAL_ENTRY, readParameters, type NeuralParameters } from './neuralEntry.ts';
import { neuralFold } from './neuralFold.ts';
import { NeuralNet } from './neuralNet.ts';
import type { NeuralState } from './neuralState.ts';
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
    ...neuralFold(qoe),
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
