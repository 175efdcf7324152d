import { readFile } from 'node:fs/promises';
import { abrRules } from '../src/abr/registry.ts';
import type { Rule } from '../src/abr/rule.ts';
import { ruleOf } from '../src/abr/ruleOf.ts';
import { failed, ok, type Result } from '../src/result.ts';

/**
 * The rules that texts of the command line ask for: an id with any number of `:name=value`, and for a rule that cannot
 * decide without a file of weights `:weights=FILE` as the last. The error is one sentence about the first that is wrong.
 */
export async function rulesOf(
  texts: readonly string[],
  known: readonly Rule[] = abrRules,
): Promise<Result<Rule[]>> {
  if (texts.length === 0) return failed(`Name at least one rule: ${known.map(({ id }) => id).join(', ')}.`);
  const rules: Rule[] = [];
  for (const text of texts) {
    const rule = await ruleIn(text, known);
    if (!rule.ok) return rule;
    rules.push(rule.value);
  }
  return ok(rules);
}

/** A file name may have colons of its own, so everything after this is one. */
const WEIGHTS = ':weights=';

async function ruleIn(text: string, known: readonly Rule[]): Promise<Result<Rule>> {
  const at = text.indexOf(WEIGHTS);
  const file = at === -1 ? null : text.slice(at + WEIGHTS.length);
  const rule = ruleOf(at === -1 ? text : text.slice(0, at), known);
  if (!rule.ok) return rule;
  const { id, withWeights } = rule.value;
  if (!withWeights) return file === null ? rule : failed(`The rule ${id} takes no weights.`);
  if (!file) return failed(`The rule ${id} cannot decide without its weights: write ${id}${WEIGHTS}FILE.`);
  const words = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (typeof words !== 'string')
    return failed(`The weights ${file} cannot be read (${words.code ?? words.message}).`);
  const able = withWeights(words);
  return able.ok ? able : failed(`The weights ${file} cannot be used by ${id}: ${able.error}`);
}
