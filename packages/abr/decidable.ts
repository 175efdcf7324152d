import type { Rule } from '../../src/abr/rule.ts';
import { parseRule } from './parseRule.ts';

/**
 * Returns a rule, or the one that a text names, that can decide at once.
 * @throws Error with one sentence for a text that names no rule, and for a rule that has no weights yet
 */
export function decidable(rule: Rule | string): Rule {
  const picked = typeof rule === 'string' ? parseRule(rule) : rule;
  if (!picked.withWeights) return picked;
  throw new Error(
    `The rule ${picked.id} needs weights before it can decide: call its withWeights(text) first.`,
  );
}
