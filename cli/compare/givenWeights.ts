import { createHash } from 'node:crypto';
import path from 'node:path';
import { requestedRule } from '../requestedRule.ts';
import { splitWeights, WEIGHTS } from '../splitWeights.ts';
import { valueOf } from '../valueOf.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { PlannedWeights } from '../../src/campaign/plan.ts';

export interface GivenWeights extends PlannedWeights {
  readonly text: string;
}

/** A rule's text whose file of weights is named from where we are, not from `folder`. */
export function ruleFrom(folder: string, text: string): string {
  const { spec, file } = splitWeights(text);
  return file === null ? text : `${spec}${WEIGHTS}${path.resolve(folder, file)}`;
}

/**
 * The weights that rules name, read and tried: a rule with weights that do not fit it would fail in every session.
 * @throws Error in one sentence
 */
export async function givenWeights(rules: readonly string[], folder: string): Promise<GivenWeights[]> {
  const given: GivenWeights[] = [];
  for (const rule of rules.filter((text) => splitWeights(text).file !== null)) {
    const { spec, weights } = valueOf(await requestedRule(ruleFrom(folder, rule), abrRules));
    const text = weights ?? '';
    given.push({ rule, spec, sha256: createHash('sha256').update(text).digest('hex'), text });
  }
  return given;
}
