import { parseRuleText } from '../../abr/ruleText.ts';

/** What a picker and a field beside it hold, of one text such as `fixed:rung=3`. */
export interface RuleText {
  readonly id: string;
  /** `rung=3`, several joined by `:`; '' for the rule as it comes. */
  readonly parameters: string;
}

export function splitRuleText(text: string): RuleText {
  const { id, settings } = parseRuleText(text);
  return { id, parameters: settings.join(':') };
}

/** People separate parameters by commas or spaces as well. */
export function formatRuleText({ id, parameters }: RuleText): string {
  const settings = parameters.split(/[:,;\s]+/).filter((setting) => setting !== '');
  return [id, ...settings].join(':');
}
