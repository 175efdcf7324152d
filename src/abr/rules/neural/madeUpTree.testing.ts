import { CONTEXT_INPUTS } from './netInputs.ts';
import { TREE_FORMAT, TREE_INPUTS } from './readNeuralTree.ts';

/**
 * A tree of two questions: a segment that takes less of the harmonic rate than it plays is good, the better the more it is
 * worth.
 */
export const madeUpTree = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    format: TREE_FORMAT,
    name: 'made up',
    inputs: TREE_INPUTS,
    // Of a rung: its size against the harmonic mean of the rates, and what it is worth above the lowest.
    feature: [CONTEXT_INPUTS + 8, CONTEXT_INPUTS + 15, -1, -1, -1],
    threshold: [0, 0.25, 0, 0, 0],
    below: [1, 3, 0, 0, 0],
    value: [0, 0, -3, -1, -0.5],
    ...changes,
  });
