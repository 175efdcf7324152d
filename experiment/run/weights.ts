import { createHash } from 'node:crypto';
import path from 'node:path';
import { requestedRule } from '../../node/rules.ts';
import { splitWeights, WEIGHTS, ruleOf } from '../../src/abr/ruleText.ts';
import { valueOf } from '../../src/shared/result.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { PlannedWeights } from '../plan/plan.ts';
import { mkdirSync } from 'node:fs';
import { writeAtomically } from '../../node/files.ts';
import type { ComparePlan } from './play/plan.ts';

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

/**
 * Copies the weights that rules decide with into the folder of the logs, as `weights/<SHA-256>.json`: what was played stays
 * beside what came of it. @throws Error in one sentence about a file that cannot be used, or that is no longer as it was planned
 */
export async function keepWeights(
  rules: readonly string[],
  {
    folder,
    outDir,
    planned,
  }: {
    readonly folder: string;
    readonly outDir: string;
    /** Of the plan that is played. Between planning and playing, training may have written a file anew. */
    readonly planned?: readonly PlannedWeights[] | undefined;
  },
): Promise<Pick<ComparePlan, 'weights'>> {
  const given = await givenWeights(rules, folder);
  if (given.length === 0) return {};
  const changed = planned && given.find(({ sha256 }) => !planned.some((each) => each.sha256 === sha256));
  if (changed)
    throw new Error(
      `${changed.rule}: The weights have changed since the run began; sessions of two versions are not compared. Name another folder with --out.`,
    );
  mkdirSync(path.join(outDir, 'weights'), { recursive: true });
  const weights = given.map(({ rule, spec, sha256, text }) => {
    const file = path.join(outDir, 'weights', `${sha256}.json`);
    writeAtomically(file, text);
    return [rule, { spec, file }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
