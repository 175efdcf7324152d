import type { Rule } from '../../rule.ts';
import { tunableRule } from '../../parameters.ts';
import { NEURAL_ENTRY, readParameters, type NeuralParameters } from './neuralEntry.ts';
import type { NeuralState } from './neuralState.ts';

/**
 * A net trained by playing (research/train/ of this repository): one set of weights for any ladder, segment length and QoE. This is
 * its name and its parameters; `weightedNeural.ts` decides, and is loaded with the weights when they are wanted.
 */
export const neural: Rule<NeuralState> = tunableRule<NeuralParameters, NeuralState>(
  { qoe: 'lin', guard: 'stalls', live: 'player' },
  (parameters) => {
    readParameters(parameters);
    return {
      ...NEURAL_ENTRY,
      shippedWeights: 'models/neural.json',
      withWeights: async (text) => (await import('../../nets.ts')).weightedNeural(parameters, text),
      start: withoutWeights,
      observe: withoutWeights,
      decide: withoutWeights,
    };
  },
);

function withoutWeights(): never {
  throw new Error('The rule neural needs a file of weights before it can decide; it was given none.');
}
