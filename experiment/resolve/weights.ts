import { createHash } from 'node:crypto';
import path from 'node:path';
import { readPlainFile, type ReadFile } from '../../node/files.ts';
import { nameApart, parseRule, readRequestedRule, readRule } from '../../node/rules.ts';
import { splitRuleFile, type RuleFile } from '../../src/abr/ruleFile.ts';
import { ruleOf, splitWeights } from '../../src/abr/ruleText.ts';
import { valueOf } from '../../src/shared/result.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Rule } from '../../src/abr/rule.ts';
import type { PlannedWeights } from '../design/plan.ts';

/** What a rule is made of, as it was when its hash was computed. */
export interface GivenWeights extends PlannedWeights {
  /** The weights; of a rule file the JavaScript that a page takes. */
  readonly text: string;
  /** Absent: these are weights. */
  readonly own?: RuleFile;
}

/** A rule file that a campaign names. */
interface NamedFile extends GivenWeights {
  /** Text of the rule in the campaign file. */
  readonly asked: string;
}

/**
 * Reads the rule files that rules name, each once, and calls each rule by its own id: so do plan, sessions and tables. @throws
 * Error in one sentence
 */
export async function namedFiles(
  texts: readonly string[],
  folder: string,
  read?: ReadFile,
): Promise<NamedFile[]> {
  const within: ReadFile = (file) => (read ?? readPlainFile)(path.resolve(folder, file));
  const files = texts.filter((text) => splitRuleFile(text) !== null);
  const rules = [];
  for (const text of files) rules.push(valueOf(await readRequestedRule(text, abrRules, within)));
  return valueOf(nameApart(rules)).map(({ name: rule, spec, own }, place) => {
    const asked = files[place]!;
    const { file } = splitRuleFile(asked)!;
    return { asked, rule, spec, sha256: own!.sha256, file, text: own!.module, own: own! };
  });
}

/**
 * The weights that rules name or come with, read and tried: a rule with weights that do not fit it would fail in every
 * session, and another version may come with others. @throws Error in one sentence
 */
export async function givenWeights(
  rules: readonly string[],
  folder: string,
  read?: ReadFile,
): Promise<GivenWeights[]> {
  const given: GivenWeights[] = [];
  for (const rule of rules) {
    const { spec, file } = splitWeights(rule);
    if (!takesWeights(spec, file)) continue;
    const from = file === null ? null : path.resolve(folder, file);
    const { weights } = valueOf(await readRule({ name: rule, spec, file: from }, abrRules, read));
    const text = weights ?? '';
    given.push({ rule, spec, sha256: createHash('sha256').update(text).digest('hex'), text });
  }
  return given;
}

/** Also one that takes none and is given some, so that it is refused. */
function takesWeights(spec: string, file: string | null): boolean {
  const rule = ruleOf(spec, abrRules);
  return file !== null || (rule.ok && rule.value.withWeights !== undefined);
}

/**
 * Makes the rules of sessions, each once, with the weights that were given and no others. `standIn` names the rule that plays
 * in place of one without weights. Rejects with one sentence about a rule that cannot be had.
 */
export function rulesWith(
  given: readonly GivenWeights[],
  standIn: (rule: string) => string,
): (text: string) => Promise<Rule> {
  const made = new Map<string, Promise<Rule>>();
  return (text) => {
    const found = given.find(({ rule }) => rule === text);
    const rule =
      made.get(text) ??
      parseRule(
        found?.own
          ? { name: text, spec: found.spec, weights: null, own: found.own }
          : { name: text, spec: found?.spec ?? standIn(text), weights: found?.text ?? null },
      );
    made.set(text, rule);
    return rule;
  };
}
