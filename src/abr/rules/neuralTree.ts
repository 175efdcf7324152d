import type { Rule } from '../rule.ts';
import { tunableRule } from '../parameters.ts';
import { qoeOf, TREE_ENTRY } from './neural/neuralEntry.ts';
import type { NeuralState } from './neural/neuralState.ts';

/**
 * What a decision tree of a thousand leaves has learnt of the rule `neural`: comparisons instead of a net, each of which can
 * be read. This is its name; `neural/weightedTree.ts` decides, and is loaded with the tree.
 */
export const neuralTree: Rule<NeuralState> = tunableRule<{ readonly qoe: string }, NeuralState>(
  { qoe: 'lin' },
  ({ qoe }) => {
    qoeOf(qoe, TREE_ENTRY.id);
    return {
      ...TREE_ENTRY,
      shippedWeights: 'models/neural-tree.json',
      withWeights: async (text) => (await import('../nets.ts')).weightedTree(qoe, text),
      start: withoutTree,
      observe: withoutTree,
      decide: withoutTree,
    };
  },
);

function withoutTree(): never {
  throw new Error('The rule neural-tree needs the file of its tree before it can decide; it was given none.');
}
