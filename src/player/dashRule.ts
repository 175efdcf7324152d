import type { Representation, RulesContext } from 'dashjs';
import type { Rule } from '../abr/rule.ts';
import { createRuleBridge } from './ruleBridge.ts';
import type { BridgeContext } from './informedRunners.ts';

/** Must differ from every built-in class name of dash.js (streaming/rules/abr/*.js). */
export const DASH_RULE_NAME = 'PitwallRule';

/**
 * The one custom rule that dash.js ever sees. It stands for the rule of ours that is in charge, or says "no change"
 * while dash.js' own rules are.
 */
export interface DashRule {
  /** What `player.addABRCustomRule` takes as the rule: a factory that dash.js calls as `rule(context).create()`. */
  readonly factory: () => { create(): DashJsRule };
  /** Puts a rule in charge; null leaves the choice to dash.js' own. */
  use(rule: Rule | null): void;
  dispose(): void;
}

export interface DashJsRule {
  getClassName(): string;
  getSwitchRequest(context: RulesContext): SwitchWish;
}

interface SwitchWish {
  /** null is dash.js' "no change". */
  readonly representation: Representation | null;
  readonly priority: number;
  readonly reason: { readonly rule: string } | null;
  readonly rule: string;
}

/** dash.js SwitchRequest.PRIORITY: DEFAULT 0.5, STRONG 1. Ours is STRONG, so that nothing else overrules it. */
const NO_CHANGE: SwitchWish = { representation: null, priority: 0.5, reason: null, rule: DASH_RULE_NAME };
const STRONG = 1;

export function createDashRule(around: BridgeContext): DashRule {
  let inCharge: Rule | null = null;
  let newest: DashJsRule | null = null;
  const bridge = createRuleBridge(around);
  const answer = (rule: Rule, context: RulesContext): SwitchWish => {
    const representation = bridge.decide(rule, context);
    return representation
      ? { representation, priority: STRONG, reason: { rule: rule.id }, rule: DASH_RULE_NAME }
      : NO_CHANGE;
  };
  return {
    factory: () => ({
      create() {
        const instance: DashJsRule = {
          getClassName: () => DASH_RULE_NAME,
          // If dash.js makes a second instance, only the newest answers.
          getSwitchRequest: (context) =>
            inCharge && instance === newest ? answer(inCharge, context) : NO_CHANGE,
        };
        newest = instance;
        return instance;
      },
    }),
    use(rule) {
      inCharge = rule;
      bridge.use(rule);
    },
    dispose: bridge.dispose,
  };
}
