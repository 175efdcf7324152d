import { requestedRule } from './requestedRule.ts';
import { abrRules } from '../src/abr/registry.ts';
import type { Rule } from '../src/abr/rule.ts';
import { failed, ok, type Result } from '../src/shared/result.ts';

/** The rules that texts of the command line ask for. The error is one sentence about the first that is wrong. */
export async function rulesOf(
  texts: readonly string[],
  known: readonly Rule[] = abrRules,
): Promise<Result<Rule[]>> {
  if (texts.length === 0) return failed(`Name at least one rule: ${known.map(({ id }) => id).join(', ')}.`);
  const rules: Rule[] = [];
  for (const text of texts) {
    const requested = await requestedRule(text, known);
    if (!requested.ok) return requested;
    rules.push(requested.value.rule);
  }
  return ok(rules);
}
