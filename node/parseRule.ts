import { abrRules } from '../src/abr/registry.ts';
import type { Rule } from '../src/abr/rule.ts';
import { ruleOf } from '../src/abr/ruleText.ts';

/** A rule in a form that another thread can receive: texts can be sent to a thread, functions cannot. */
export interface RuleText {
  /** As it was asked for; it names the rule in tables and files. */
  readonly name: string;
  /** What `ruleOf` reads. */
  readonly spec: string;
  /** What is in its file of weights; null for a rule without. */
  readonly weights: string | null;
}

/** The rule of texts that `requestedRule` has found to be in order. Rejects when they are not. */
export async function parseRule({ spec, weights }: RuleText): Promise<Rule> {
  const rule = ruleOf(spec, abrRules);
  const able = rule.ok && weights !== null ? await rule.value.withWeights!(weights) : rule;
  if (!able.ok) throw new Error(able.error);
  return able.value;
}
