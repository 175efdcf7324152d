import type { Rule } from '../abr/rule.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import { pickedRule } from './pickedRule.ts';
import type { PickableRule } from './rules.ts';

interface Sources {
  /** Text of the weights file, for a rule that cannot decide without one; null for the one that comes with it. */
  readonly weights: string | null;
  /** Loads a file that comes with Pitwall, by its place in `public/`; rejects with one sentence. */
  readonly shipped: (file: string) => Promise<string>;
}

/** The rule that a text means, able to decide: with its weights, and with the code that takes. The error is one sentence. */
export async function ableRule(
  text: string,
  sources: Sources,
  rules?: readonly PickableRule[],
): Promise<Result<PickableRule>> {
  const picked = pickedRule(text, rules);
  if (!picked.ok || picked.value.rule === null) return picked;
  const rule = await withWeights(picked.value.rule, sources);
  return rule.ok ? ok({ ...picked.value, rule: rule.value }) : rule;
}

async function withWeights(rule: Rule, { weights, shipped }: Sources): Promise<Result<Rule>> {
  if (!rule.withWeights) return ok(rule);
  if (weights === null && rule.shippedWeights === undefined)
    return failed(
      `The rule ${rule.id} needs its weights: choose the file under Advanced, or name it in the link (weights=…).`,
    );
  const able = await rule.withWeights(weights ?? (await shipped(rule.shippedWeights!)));
  return able.ok ? able : failed(`The weights of ${rule.id} cannot be used: ${able.error}`);
}
