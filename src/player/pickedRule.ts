import { ruleOf } from '../abr/ruleOf.ts';
import type { Rule } from '../abr/rule.ts';
import { failed, ok, type Result } from '../result.ts';
import { playerRules, type PickableRule } from './rules.ts';

/**
 * The rule that a text of the page or the command line means: an id, for rules of ours with parameters
 * (`fixed:rung=3`). `weights` is the text of the file that some rules cannot decide without. The error is one sentence.
 */
export function pickedRule(
  text: string,
  weights: string | null = null,
  rules: readonly PickableRule[] = playerRules,
): Result<PickableRule> {
  const [id = ''] = text.split(':');
  const picked = rules.find((each) => each.id === id);
  if (!picked) return failed(`Unknown rule "${id}"; known: ${rules.map((each) => each.id).join(', ')}.`);
  if (picked.rule === null)
    return text === id
      ? ok(picked)
      : failed(`The rule ${id} is a part of dash.js: its parameters are those of the preset.`);
  const tuned = ruleOf(text, [picked.rule]);
  const rule = tuned.ok ? withWeights(tuned.value, weights) : tuned;
  return rule.ok ? ok({ ...picked, rule: rule.value }) : rule;
}

function withWeights(rule: Rule, weights: string | null): Result<Rule> {
  if (!rule.withWeights) return ok(rule);
  if (weights === null)
    return failed(
      `The rule ${rule.id} cannot decide without its weights: choose the file under Advanced, or name it in the link (weights=…).`,
    );
  const able = rule.withWeights(weights);
  return able.ok ? able : failed(`The weights of ${rule.id} cannot be used: ${able.error}`);
}
