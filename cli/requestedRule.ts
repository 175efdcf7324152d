import { readFile } from 'node:fs/promises';
import type { RuleText } from './ruleText.ts';
import type { Rule } from '../src/abr/rule.ts';
import { ruleOf } from '../src/abr/ruleOf.ts';
import { failed, ok, type Result } from '../src/result.ts';

/** A rule that was asked for, as an object and as the texts that it was made of. */
export interface RequestedRule extends RuleText {
  readonly rule: Rule;
}

/** A file name may have colons of its own, so everything after this is one. */
const WEIGHTS = ':weights=';

/**
 * The rule that a text of the command line asks for: an id with any number of `:name=value`, and for a rule that cannot
 * decide without a file of weights `:weights=FILE` as the last. The error is one sentence.
 */
export async function requestedRule(name: string, known: readonly Rule[]): Promise<Result<RequestedRule>> {
  const at = name.indexOf(WEIGHTS);
  const file = at === -1 ? null : name.slice(at + WEIGHTS.length);
  const spec = at === -1 ? name : name.slice(0, at);
  const rule = ruleOf(spec, known);
  if (!rule.ok) return rule;
  const { id, withWeights } = rule.value;
  if (!withWeights)
    return file === null
      ? ok({ name, spec, weights: null, rule: rule.value })
      : failed(`The rule ${id} takes no weights.`);
  if (!file) return failed(`The rule ${id} cannot decide without its weights: write ${id}${WEIGHTS}FILE.`);
  const weights = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof weights !== 'string')
    return failed(`The weights ${file} cannot be read (${weights.code ?? weights.message}).`);
  const able = withWeights(weights);
  return able.ok
    ? ok({ name, spec, weights, rule: able.value })
    : failed(`The weights ${file} cannot be used by ${id}: ${able.error}`);
}
