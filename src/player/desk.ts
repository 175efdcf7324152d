import type { Representation, RulesContext } from 'dashjs';
import type { Rule } from '../abr/rule.ts';
import { stay } from '../abr/stay.ts';
import { checkedAnswer, type CheckedAnswer } from '../abr/checkedAnswer.ts';
import { decisionOf } from './decisionOf.ts';
import { createHold } from './hold.ts';
import { createInformedSeats, type DeskSurroundings, type InformedSeats } from './informedSeats.ts';
import { questionOf, type Question } from './question.ts';
import { faultOf } from './faultOf.ts';

/** Where dash.js' question becomes ours, our answer is recorded, and then becomes dash.js'. */
export interface Desk {
  /** The representation for the next segment; null for no opinion. Never throws what a rule throws. */
  decide(rule: Rule, context: RulesContext): Representation | null;
  use(rule: Rule | null): void;
  dispose(): void;
}

export function createDesk(around: DeskSurroundings): Desk {
  const { player, telemetry } = around;
  let ruleId = '';
  const onFault = (thrown: unknown): void =>
    void telemetry.record(faultOf(ruleId, thrown, telemetry.nowMs()));
  const seats = createInformedSeats(around, onFault);
  const hold = createHold(player);
  return {
    decide(rule, context) {
      const question = questionOf(player, context, telemetry.nowMs());
      if (!question) return null;
      const held = hold.standing(context, question);
      if (held) return held;
      const { mediaType } = question;
      seats.prepare(question);
      const { answer, tookMs } = answerOf(seats, question, onFault);
      const estimateKbps = player.getAverageThroughput(mediaType);
      if (hold.isNews(context, answer))
        telemetry.decide(
          decisionOf({
            ruleId: rule.id,
            question,
            answer,
            toldId: seats.toldId(mediaType),
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
      if (rule) seats.use(rule);
      else seats.clear();
    },
    dispose() {
      hold.dispose();
      seats.dispose();
    },
  };
}

function answerOf(
  seats: Pick<InformedSeats, 'ask'>,
  { mediaType, offer, moment }: Question,
  onFault: (thrown: unknown) => void,
): { answer: CheckedAnswer; tookMs: number } {
  const startedMs = performance.now();
  const tookMs = (): number => performance.now() - startedMs;
  try {
    const checked = checkedAnswer(seats.ask(mediaType, offer, moment), offer.ladder.length);
    if (!checked.ok) throw new Error(checked.error);
    return { answer: checked.value, tookMs: tookMs() };
  } catch (thrown) {
    onFault(thrown);
    return { answer: stay(moment, thrown), tookMs: tookMs() };
  }
}
