/** What a picker and a field beside it hold, of one text such as `fixed:rung=3`. */
export interface RuleText {
  readonly id: string;
  /** `rung=3`, several joined by `:`; '' for the rule as it comes. */
  readonly parameters: string;
}

export function splitRuleText(text: string): RuleText {
  const at = text.indexOf(':');
  return at === -1 ? { id: text, parameters: '' } : { id: text.slice(0, at), parameters: text.slice(at + 1) };
}

/** People separate parameters by commas or spaces as well. */
export function formatRuleText({ id, parameters }: RuleText): string {
  const settings = parameters.split(/[:,;\s]+/).filter((setting) => setting !== '');
  return [id, ...settings].join(':');
}
