import { checkedAnswer, stay } from '../../abr/answer.ts';
import type { Ladder } from '../../abr/ladder.ts';
import type { Rule } from '../../abr/rule.ts';
import { createRuleRunner, type RuleRunner } from '../../abr/runner.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';
import { formatRuleFault } from './formatRuleFault.ts';
import type { ReplayedDecision } from './replayedDecision.ts';
import type { RuleRun, Step } from './ruleRun.ts';

type Asked = Extract<Step, { kind: 'asked' }>;
type ReplayedAnswer = Pick<
  ReplayedDecision,
  'rung' | 'bitrateKbps' | 'because' | 'values' | 'holdUntilBufferMs' | 'fault'
>;

/** Plays one run of the recorded session through a rule. `onFault` gets what it throws at an event. */
export function played(
  { context, steps, input }: RuleRun,
  rule: Rule,
  onFault: (thrown: unknown) => void,
): ReplayedDecision[] {
  if (!context)
    return steps.filter((step) => step.kind === 'asked').map((step) => decided(step, UNASKED, input));
  const runner = createRuleRunner(rule, context, onFault);
  let { ladder } = context;
  const decisions: ReplayedDecision[] = [];
  for (const step of steps) {
    if (step.kind === 'asked') {
      decisions.push(decided(step, answerOf(runner, step, { rule, ladder }), input));
      continue;
    }
    if (step.event.kind === 'ladder') ladder = step.event.ladder;
    runner.tell(step.event);
  }
  return decisions;
}

const NO_LADDER = 'The log does not say what there was to choose from at this decision.';
const UNASKED: ReplayedAnswer = {
  rung: null,
  bitrateKbps: null,
  because: NO_LADDER,
  values: {},
  holdUntilBufferMs: null,
  fault: NO_LADDER,
};

function answerOf(
  runner: RuleRunner,
  { moment }: Asked,
  { rule, ladder }: { rule: Rule; ladder: Ladder },
): ReplayedAnswer {
  const bitrateOf = (rung: number): number | null => ladder[rung]?.bitrateKbps ?? null;
  try {
    const checked = checkedAnswer(runner.ask(moment), ladder.length);
    if (!checked.ok) throw new Error(checked.error);
    return { ...checked.value, bitrateKbps: bitrateOf(checked.value.rung), fault: null };
  } catch (thrown) {
    const answer = stay(moment, thrown);
    return { ...answer, bitrateKbps: bitrateOf(answer.rung), fault: formatRuleFault(rule, thrown) };
  }
}

function decided(
  { decision }: Asked,
  answer: ReplayedAnswer,
  input: ReplayedDecision['input'],
): ReplayedDecision {
  return {
    ...recordedIn(decision),
    ...answer,
    input,
    agrees: answer.rung !== null && answer.rung === decision.rung,
  };
}

function recordedIn({ id, mediaType, atMs, segment, moment, rule, rung, bitrateKbps }: DecisionEvent) {
  return {
    id,
    mediaType,
    atMs,
    segment,
    bufferMs: moment.bufferMs,
    recordedRule: rule,
    recordedRung: rung,
    recordedBitrateKbps: bitrateKbps,
  };
}
