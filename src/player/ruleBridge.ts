import type { Representation, RulesContext } from 'dashjs';
import type { Rule } from '../abr/rule.ts';
import { stay, checkedAnswer, type CheckedAnswer } from '../abr/answer.ts';
import { decisionOf } from './decisionOf.ts';
import { createHold } from './hold.ts';
import { createInformedRunners, type BridgeContext, type InformedRunners } from './informedRunners.ts';
import { questionOf, type Question } from './question.ts';
import { faultOf } from './faultOf.ts';

/** Where dash.js' question becomes ours, our answer is recorded, and then becomes dash.js'. */
export interface RuleBridge {
  /** The representation for the next segment; null for no opinion. Never throws what a rule throws. */
  decide(rule: Rule, context: RulesContext): Representation | null;
  use(rule: Rule | null): void;
  dispose(): void;
}

export function createRuleBridge(around: BridgeContext): RuleBridge {
  const { player, telemetry } = around;
  let ruleId = '';
  const onFault = (thrown: unknown): void =>
    void telemetry.record(faultOf(ruleId, thrown, telemetry.nowMs()));
  const runners = createInformedRunners(around, onFault);
  const hold = createHold(player);
  return {
    decide(rule, context) {
      const question = questionOf(player, context, telemetry.nowMs());
      if (!question) return null;
      const held = hold.standing(context, question);
      if (held) return held;
      const { mediaType } = question;
      runners.prepare(question);
      const { answer, tookMs } = answerOf(runners, question, onFault);
      const estimateKbps = player.getAverageThroughput(mediaType);
      if (hold.isNews(context, answer))
        telemetry.decide(
          decisionOf({
            ruleId: rule.id,
            question,
            answer,
            inputId: runners.inputId(mediaType),
            estimateKbps,
            tookMs,
          }),
        );
      hold.arrange(context, question, answer);
      return question.choices[answer.rung] ?? null;
    },
    use(rule) {
      ruleId = rule?.id ?? '';
      hold.release();
      if (rule) runners.use(rule);
      else runners.clear();
    },
    dispose() {
      hold.dispose();
      runners.dispose();
    },
  };
}

function answerOf(
  runners: Pick<InformedRunners, 'ask'>,
  { mediaType, offer, moment }: Question,
  onFault: (thrown: unknown) => void,
): { answer: CheckedAnswer; tookMs: number } {
  const startedMs = performance.now();
  const tookMs = (): number => performance.now() - startedMs;
  try {
    const checked = checkedAnswer(runners.ask(mediaType, offer, moment), offer.ladder.length);
    if (!checked.ok) throw new Error(checked.error);
    return { answer: checked.value, tookMs: tookMs() };
  } catch (thrown) {
    onFault(thrown);
    return { answer: stay(moment, thrown), tookMs: tookMs() };
  }
}
