import { readFile } from 'node:fs/promises';
import type { RuleText } from './parseRule.ts';
import { shippedWeights } from './shippedWeights.ts';
import { splitWeights, WEIGHTS, ruleOf } from '../src/abr/ruleText.ts';
import type { Rule } from '../src/abr/rule.ts';
import { failed, ok, type Result } from '../src/shared/result.ts';

/** A rule that was asked for, as an object and as the texts that it was made of. */
export interface RequestedRule extends RuleText {
  readonly rule: Rule;
}

/**
 * The rule that a text of the command line asks for: an id with any number of `:name=value`, and for a rule that decides
 * with weights `:weights=FILE` as the last; left out, those that come with the rule. The error is one sentence.
 */
export async function requestedRule(name: string, known: readonly Rule[]): Promise<Result<RequestedRule>> {
  const { spec, file } = splitWeights(name);
  const rule = ruleOf(spec, known);
  if (!rule.ok) return rule;
  if (!rule.value.withWeights)
    return file === null
      ? ok({ name, spec, weights: null, rule: rule.value })
      : failed(`The rule ${rule.value.id} takes no weights.`);
  const able = await withFile(rule.value, file ?? shippedWeights(rule.value));
  return able.ok ? ok({ name, spec, ...able.value }) : able;
}

async function withFile(
  { id, withWeights }: Rule,
  file: string | null,
): Promise<Result<Pick<RequestedRule, 'weights' | 'rule'>>> {
  if (!file) return failed(`The rule ${id} needs weights: write ${id}${WEIGHTS}FILE.`);
  const weights = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof weights !== 'string')
    return failed(`The weights ${file} cannot be read (${weights.code ?? weights.message}).`);
  const able = await withWeights!(weights);
  return able.ok
    ? ok({ weights, rule: able.value })
    : failed(`The weights ${file} cannot be used by ${id}: ${able.error}`);
}
