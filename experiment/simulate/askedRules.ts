import { requestedRule, type RequestedRule } from '../../node/requestedRule.ts';
import { valueOf } from '../../src/shared/result.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { parseRuleText } from '../../src/abr/ruleText.ts';

/** A rule of a run. */
export interface AskedRule extends RequestedRule {
  /** Whether it plans for the QoE of the run because its text names none. */
  readonly followsRun: boolean;
}

/**
 * The rules of a comma-separated text, each once. A rule that plans for a QoE plans for that of the run if its text
 * names none. @throws Error in one sentence
 */
export async function askedRules(text: string, qoeId: string): Promise<AskedRule[]> {
  const names = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  if (names.length === 0)
    throw new Error(`Name at least one rule: ${abrRules.map(({ id }) => id).join(', ')}.`);
  return Promise.all(names.map((name) => askedRule(name, qoeId)));
}

async function askedRule(name: string, qoeId: string): Promise<AskedRule> {
  const asked = await requested(name);
  const followsRun =
    'qoe' in asked.rule.parameters &&
    !parseRuleText(asked.spec).settings.some((setting) => setting.startsWith('qoe='));
  if (!followsRun) return { ...asked, followsRun };
  const { id, settings } = parseRuleText(name);
  return { ...(await requested([id, `qoe=${qoeId}`, ...settings].join(':'))), name, followsRun };
}

const requested = async (name: string): Promise<RequestedRule> =>
  valueOf(await requestedRule(name, abrRules));
