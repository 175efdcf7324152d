import { parseRuleText, ruleOf } from '../abr/ruleText.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import { playerRules, type PickableRule } from './rules.ts';

/**
 * The rule that a text of the page or the command line means: an id, for rules of ours with parameters
 * (`fixed:rung=3`). The error is one sentence.
 */
export function pickedRule(text: string, rules: readonly PickableRule[] = playerRules): Result<PickableRule> {
  const { id } = parseRuleText(text);
  const picked = rules.find((each) => each.id === id);
  if (!picked) return failed(`Unknown rule "${id}"; known: ${rules.map((each) => each.id).join(', ')}.`);
  if (picked.rule === null)
    return text === id
      ? ok(picked)
      : failed(`The rule ${id} is a part of dash.js: its parameters are those of the preset.`);
  const tuned = ruleOf(text, [picked.rule]);
  return tuned.ok ? ok({ ...picked, rule: tuned.value }) : tuned;
}
