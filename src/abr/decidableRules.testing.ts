import { abrRules } from './registry.ts';
import type { Rule } from './rule.ts';
import { madeUpNet } from './rules/neural/madeUpWeights.testing.ts';
import { testWeights } from './testWeights.testing.ts';

/** A file of weights for each rule that takes one, made by a test: any net of the right shape will do. */
const weightsFor: Readonly<Record<string, () => string>> = {
  neural: () => madeUpNet(),
  pensieve: () => JSON.stringify(testWeights()),
};

/**
 * Every rule of the registry in a form that can decide: one that takes weights gets those of `weightsFor`, by its id. A
 * rule without an entry there is left out, and `registry.test.ts` has a test that none is.
 */
export const decidableRules: readonly Rule[] = (await Promise.all(abrRules.map(able))).flat();

async function able(rule: Rule): Promise<Rule[]> {
  if (!rule.withWeights) return [rule];
  const weights = weightsFor[rule.id];
  if (weights === undefined) return [];
  const read = await rule.withWeights(weights());
  if (!read.ok) throw new Error(`the contract's weights do not suit ${rule.id}: ${read.error}`);
  return [read.value];
}
