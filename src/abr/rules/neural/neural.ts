import type { Rule } from '../../rule.ts';
import { tunableRule } from '../../parameters.ts';
import { NEURAL_ENTRY, readParameters, type NeuralParameters, qoeOf, TREE_ENTRY } from './neuralEntry.ts';
import type { NeuralState } from './neuralState.ts';

/**
 * A net trained by playing (train/ of this repository): one set of weights for any ladder, segment length and QoE. This is
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

/**
 * What a decision tree of a thousand leaves has learnt of the rule `neural`: comparisons instead of a net, each of which can
 * be read. This is its name; `weightedTree.ts` decides, and is loaded with the tree.
 */
export const neuralTree: Rule<NeuralState> = tunableRule<{ readonly qoe: string }, NeuralState>(
  { qoe: 'lin' },
  ({ qoe }) => {
    qoeOf(qoe, TREE_ENTRY.id);
    return {
      ...TREE_ENTRY,
      shippedWeights: 'models/neural-tree.json',
      withWeights: async (text) => (await import('../../nets.ts')).weightedTree(qoe, text),
      start: withoutTree,
      observe: withoutTree,
      decide: withoutTree,
    };
  },
);

function withoutTree(): never {
  throw new Error('The rule neural-tree needs the file of its tree before it can decide; it was given none.');
}
