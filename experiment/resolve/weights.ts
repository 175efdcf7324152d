import { createHash } from 'node:crypto';
import path from 'node:path';
import { requestedRule } from '../../node/rules.ts';
import { splitWeights, WEIGHTS, ruleOf } from '../../src/abr/ruleText.ts';
import { valueOf } from '../../src/shared/result.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { PlannedWeights } from '../plan/plan.ts';

export interface GivenWeights extends PlannedWeights {
  readonly text: string;
}

/** A rule's text whose file of weights is named from where we are, not from `folder`. */
export function ruleFrom(folder: string, text: string): string {
  const { spec, file } = splitWeights(text);
  return file === null ? text : `${spec}${WEIGHTS}${path.resolve(folder, file)}`;
}

/**
 * The weights that rules name or come with, read and tried: a rule with weights that do not fit it would fail in every
 * session, and another version may come with others. @throws Error in one sentence
 */
export async function givenWeights(rules: readonly string[], folder: string): Promise<GivenWeights[]> {
  const given: GivenWeights[] = [];
  for (const rule of rules.filter(takesWeights)) {
    const { spec, weights } = valueOf(await requestedRule(ruleFrom(folder, rule), abrRules));
    const text = weights ?? '';
    given.push({ rule, spec, sha256: createHash('sha256').update(text).digest('hex'), text });
  }
  return given;
}

/** Also one that takes none and is given some, so that it is refused. */
function takesWeights(text: string): boolean {
  const { spec, file } = splitWeights(text);
  const rule = ruleOf(spec, abrRules);
  return file !== null || (rule.ok && rule.value.withWeights !== undefined);
}
