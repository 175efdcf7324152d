/** A file name may have colons of its own, so everything after this is one. */
export const WEIGHTS = ':weights=';

/** A rule's text as the command line and campaigns have it, taken apart. */
export interface SplitRule {
  /** What `ruleOf` and the page read. */
  readonly spec: string;
  /** Its file of weights; null where none is named. */
  readonly file: string | null;
}

export function splitWeights(text: string): SplitRule {
  const at = text.indexOf(WEIGHTS);
  return at === -1
    ? { spec: text, file: null }
    : { spec: text.slice(0, at), file: text.slice(at + WEIGHTS.length) };
}
