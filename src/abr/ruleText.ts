import { failed, ok, type Result } from '../shared/result.ts';
import type { Parameters, Rule } from './rule.ts';

/**
 * Splits a rule's text, `id:name=value:…`, at its colons. All code that looks into such a text calls this function (or
 * `splitWeights` before it): pages, links, the command line, campaigns and logs then mean the same by one text.
 */
export function parseRuleText(text: string): { readonly id: string; readonly settings: readonly string[] } {
  const [id = '', ...settings] = text.split(':');
  return { id, settings };
}

/**
 * The rule that a text asks for, as on the command line and in a link: an id, and any number of `:name=value`
 * (`fixed:level=4`, `bola:gp=5:bufferMaxMs=25000`). The error is one sentence that names what is known.
 */
export function ruleOf(text: string, rules: readonly Rule[]): Result<Rule> {
  const { id, settings } = parseRuleText(text);
  const rule = rules.find((each) => each.id === id);
  if (!rule) return failed(`Unknown rule "${id}"; known: ${rules.map((each) => each.id).join(', ')}.`);
  if (settings.length === 0) return ok(rule);
  if (!rule.tuned) return failed(`The rule ${id} has no parameters to set.`);
  const changes = new Map<string, Parameters[string]>();
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at < 1) return failed(`"${setting}" in "${text}" is no setting: write name=value.`);
    const name = setting.slice(0, at);
    if (changes.has(name)) return failed(`"${text}" sets ${name} twice.`);
    changes.set(name, valueLike(rule.parameters[name], setting.slice(at + 1)));
  }
  try {
    return ok(rule.tuned(Object.fromEntries(changes)));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** The words of a setting as the type that the parameter has now; a number where it has none and they are one. */
function valueLike(now: Parameters[string] | undefined, words: string): Parameters[string] {
  const isNumber = typeof now === 'number' || now === undefined;
  if (isNumber && words.trim() !== '' && Number.isFinite(Number(words))) return Number(words);
  if (typeof now === 'boolean' && (words === 'true' || words === 'false')) return words === 'true';
  return words;
}

/** Tells people that a text counts levels from 0, as older versions did; null for all others. Both stay valid. */
export function formatOldCount(text: string): string | null {
  const rung = /^fixed:rung=(\d+)$/.exec(text)?.[1];
  return rung === undefined
    ? null
    : `${text} counts levels from 0; the same rule is fixed:level=${Number(rung) + 1}.`;
}

/** Begins the file of weights in a rule's text. A file name may have colons of its own: all that follows is one. */
export const WEIGHTS = ':weights=';

interface SplitRule {
  /** What `ruleOf` and the page read. */
  readonly spec: string;
  /** Its file of weights; null where none is named. */
  readonly file: string | null;
}

/** Splits off the file of weights that a rule's text may end with on the command line and in campaigns. */
export function splitWeights(text: string): SplitRule {
  const at = text.indexOf(WEIGHTS);
  return at === -1
    ? { spec: text, file: null }
    : { spec: text.slice(0, at), file: text.slice(at + WEIGHTS.length) };
}
