import type { Representation, RulesContext } from 'dashjs';
import type { Rule } from '../../abr/rule.ts';
import type { PathwayChange } from '../../abr/ruleInput.ts';
import { questionOf, type Question } from './dashTerms.ts';
import { answerOf, decisionOf, faultOf } from './decision.ts';
import { createHold } from './hold.ts';
import { createLiveRate, type LiveRate } from './liveRate.ts';
import { createInformedRunners, type BridgeContext } from './informedRunners.ts';

/** Must differ from every built-in class name of dash.js (streaming/rules/abr/*.js). */
export const DASH_RULE_NAME = 'PitwallRule';

/**
 * The one custom rule that dash.js ever sees. It stands for the rule of ours that is in charge, or says "no change"
 * while dash.js' own rules are.
 */
interface DashRule {
  /** What `player.addABRCustomRule` takes as the rule: a factory that dash.js calls as `rule(context).create()`. */
  readonly factory: () => { create(): DashJsRule };
  /** Puts a rule in charge; null leaves the choice to dash.js' own. */
  use(rule: Rule | null): void;
  /** The rule begins anew, with what was measured over this pathway, or goes on. */
  usePathway(change: PathwayChange): void;
  dispose(): void;
}

interface DashJsRule {
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
    usePathway: bridge.usePathway,
    dispose: bridge.dispose,
  };
}

/** Where dash.js' question becomes ours, our answer is recorded, and then becomes dash.js'. */
interface RuleBridge {
  /** The representation for the next segment; null for no opinion. Never throws what a rule throws. */
  decide(rule: Rule, context: RulesContext): Representation | null;
  use(rule: Rule | null): void;
  usePathway(change: PathwayChange): void;
  dispose(): void;
}

function createRuleBridge(around: BridgeContext): RuleBridge {
  const { player, telemetry } = around;
  let ruleId = '';
  const onFault = (thrown: unknown): void =>
    void telemetry.record(faultOf(ruleId, thrown, telemetry.nowMs()));
  const runners = createInformedRunners(around, onFault);
  const hold = createHold(player);
  const liveRate = createLiveRate(player);
  return {
    decide(rule, context) {
      const question = withLive(questionOf(player, context, telemetry.nowMs()), liveRate);
      if (!question) return null;
      const held = hold.standing(context, question);
      if (held) return held;
      runners.prepare(question);
      const { answer, tookMs } = answerOf(runners, question, onFault);
      if (hold.isNews(context, answer))
        telemetry.decide(
          decisionOf({
            ruleId: rule.id,
            question,
            answer,
            inputId: runners.inputId(question.mediaType),
            estimateKbps: player.getAverageThroughput(question.mediaType),
            tookMs,
          }),
        );
      hold.arrange(context, question, answer);
      liveRate.play(answer.playbackRate);
      return question.choices[answer.rung] ?? null;
    },
    use(rule) {
      ruleId = rule?.id ?? '';
      hold.release();
      liveRate.use(rule);
      if (rule) runners.use(rule);
      else runners.clear();
    },
    usePathway(change) {
      hold.release();
      runners.usePathway(change);
    },
    dispose() {
      hold.dispose();
      liveRate.dispose();
      runners.dispose();
    },
  };
}

/** The question with what a rule that sets the playback rate chooses it by. */
function withLive(question: Question | null, liveRate: LiveRate): Question | null {
  const live = question && liveRate.momentFor(question.mediaType);
  return question && live ? { ...question, moment: { ...question.moment, live } } : question;
}
