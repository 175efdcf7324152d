import { abrRules } from '../../src/abr/registry.ts';
import type { Parameters, Rule } from '../../src/abr/rule.ts';
import { ruleOf } from '../../src/abr/ruleOf.ts';
import { failed, ok, type Result } from '../../src/result.ts';

/** A rule as a worker can be told of it: functions do not travel, texts do. */
export interface RuleRequest {
  /** As it was asked for; it names the rule in tables and files. */
  readonly name: string;
  /** What `ruleOf` reads. */
  readonly spec: string;
  /** The text of its weights file; null for a rule without. */
  readonly weights: string | null;
}

/** The rule of a request. The error is one sentence that names what is known, or what is wrong with the weights. */
export function ruleFrom({ name, spec, weights }: RuleRequest): Result<Rule> {
  const rule = ruleOf(spec, abrRules);
  if (!rule.ok) return rule;
  if (weights === null)
    return rule.value.withWeights ? failed(`The rule ${name} needs weights: ${name}:weights=FILE.`) : rule;
  if (!rule.value.withWeights) return failed(`The rule ${rule.value.id} takes no weights.`);
  const weighted = rule.value.withWeights(weights);
  return weighted.ok ? ok(weighted.value) : failed(`${name}: ${weighted.error}`);
}

/** The parameters that a request runs with. @throws Error when `ruleFrom` refuses it */
export function parametersOf(request: RuleRequest): Parameters {
  const rule = ruleFrom(request);
  if (!rule.ok) throw new Error(rule.error);
  return rule.value.parameters;
}
