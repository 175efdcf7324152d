import { entryOf, parseEntryText } from '../shared/parameters.ts';
import type { Result } from '../shared/result.ts';
import type { Rule } from './rule.ts';

/**
 * Splits a rule's text, `id:name=value:…`, at its colons. All code that looks into such a text calls this function (or
 * `splitWeights` before it): pages, links, the command line, campaigns and logs then mean the same by one text.
 */
export const parseRuleText = parseEntryText;

/** The rule that a text asks for: see `entryOf`. */
export const ruleOf = (text: string, rules: readonly Rule[]): Result<Rule> => entryOf('rule', text, rules);

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
