import type { Rule, MediaType } from '../../abr/rule.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { derivedRuns } from './derivedRuns.ts';
import { recordedRuns } from './recordedRuns.ts';
import { ruleSpansOf, type RuleRun, type Step } from './ruleRun.ts';
import { checkedAnswer, stay, formatThrown } from '../../abr/answer.ts';
import type { Ladder } from '../../abr/ladder.ts';
import { createRuleRunner, type RuleRunner } from '../../abr/runner.ts';
import type { DecisionEvent } from '../../telemetry/event.ts';

/** What a rule would have chosen in a recorded session. */
export interface Replay {
  readonly ruleId: string;
  /** One per decision of the log, in the order in which they were made. */
  readonly decisions: readonly ReplayedDecision[];
  /** Decisions whose rung is the recorded one. */
  readonly identical: number;
  /** Decisions whose rule inputs had to be derived: dash.js' own rules were in charge. */
  readonly derived: number;
  /** What the rule threw at an event, each sentence once; decisions have their own `fault`. */
  readonly faults: readonly string[];
}

/**
 * Plays a recorded session through a rule: at each decision the rule has received what was known then, and answers from
 * the recorded moment. It receives how the session went, not how it would have gone: its own choices have no effect.
 * For the rule that was recorded the answers are the recorded ones. Throws nothing that the rule throws.
 */
export function replay(log: SessionLog, rule: Rule): Replay {
  const faults = new Set<string>();
  const spans = ruleSpansOf(log).filter((span) => span.decisions.length > 0);
  const runs = spans.flatMap((span) => (span.input.length > 0 ? recordedRuns(span) : derivedRuns(log, span)));
  const decisions = runs
    .flatMap((run) => played(run, rule, (thrown) => void faults.add(formatRuleFault(rule, thrown))))
    .sort((one, other) => one.atMs - other.atMs);
  return {
    ruleId: rule.id,
    decisions,
    identical: decisions.filter(({ agrees }) => agrees).length,
    derived: decisions.filter(({ input }) => input === 'derived').length,
    faults: [...faults],
  };
}

/** What a rule would have chosen at a recorded decision, beside what was chosen. */
export interface ReplayedDecision {
  /** Id of the decision in the log. */
  readonly id: string;
  readonly mediaType: MediaType;
  readonly atMs: number;
  readonly segment: number | null;
  readonly bufferMs: number;
  readonly recordedRule: string;
  readonly recordedRung: number | null;
  readonly recordedBitrateKbps: number | null;
  /** null when the rule could not be asked; `fault` says why. */
  readonly rung: number | null;
  readonly bitrateKbps: number | null;
  readonly because: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly holdUntilBufferMs: number | null;
  readonly input: RuleRun['input'];
  /** Why there is no answer of the rule; the player would have stayed on the last rung. null when there is one. */
  readonly fault: string | null;
  /** Whether the rung is the recorded one. */
  readonly agrees: boolean;
}

type Asked = Extract<Step, { kind: 'asked' }>;
type ReplayedAnswer = Pick<
  ReplayedDecision,
  'rung' | 'bitrateKbps' | 'because' | 'values' | 'holdUntilBufferMs' | 'fault'
>;

/** Plays one run of the recorded session through a rule. `onFault` gets what it throws at an event. */
function played(
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
    const checked = checkedAnswer(runner.ask(moment), ladder.length, moment.live);
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

const formatRuleFault = ({ id }: Rule, thrown: unknown): string =>
  `The rule ${id} failed: ${formatThrown(thrown)}.`;
