import type { Rule } from '../../rule.ts';
import { PENSIEVE_ENTRY, type PensieveState } from './pensieveEntry.ts';

/**
 * Pensieve's actor: a small net that chooses the rung from the last downloads, the buffer and the next sizes. It decides
 * nothing before it has weights (docs/pensieve-weights.md); `weightedPensieve.ts` then does, and is loaded with
 * them.
 */
export const pensieve: Rule<PensieveState> = {
  ...PENSIEVE_ENTRY,
  parameters: { weights: 'none' },
  withWeights: async (text) => (await import('../../nets.ts')).weightedPensieve(text),
  start: withoutWeights,
  observe: withoutWeights,
  decide: withoutWeights,
};

function withoutWeights(): never {
  throw new Error('The rule pensieve needs a file of weights before it can decide; it was given none.');
}
