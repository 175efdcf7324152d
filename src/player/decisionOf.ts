import type { DecisionEvent, Draft } from '../telemetry/event.ts';
import type { CheckedAnswer } from '../abr/answer.ts';
import type { Question } from './question.ts';

/** A decision of ours as the log takes it. `estimateKbps` is as dash.js says it: NaN before the first sample. */
export function decisionOf({
  ruleId,
  question: { mediaType, moment, offer },
  answer,
  inputId,
  estimateKbps,
  tookMs,
}: {
  ruleId: string;
  question: Pick<Question, 'mediaType' | 'moment' | 'offer'>;
  answer: CheckedAnswer;
  inputId: string | null;
  estimateKbps: number;
  tookMs: number;
}): Omit<Draft<DecisionEvent>, 'requestId'> {
  const draft = {
    kind: 'decision' as const,
    atMs: moment.nowMs,
    mediaType,
    segment: moment.segment,
    rule: ruleId,
    fromRung: moment.lastRung,
    rung: answer.rung,
    bitrateKbps: offer.ladder[answer.rung]?.bitrateKbps ?? null,
    holdUntilBufferMs: answer.holdUntilBufferMs,
    because: answer.because,
    values: { ...answer.values },
    votes: [{ rule: ruleId, rung: answer.rung, because: answer.because, asked: true }],
    moment: { ...moment },
    ...(inputId !== null && { inputId }),
    estimateKbps: Number.isFinite(estimateKbps) ? estimateKbps : null,
    tookMs,
  };
  return { ...draft, missing: reasonsOf(draft) };
}

/** Why each of these is null when it is. */
const REASONS = {
  segment: 'not-supported',
  fromRung: 'too-early',
  bitrateKbps: 'not-applicable',
  holdUntilBufferMs: 'not-applicable',
  estimateKbps: 'too-early',
} as const;

function reasonsOf(draft: Pick<DecisionEvent, keyof typeof REASONS>): DecisionEvent['missing'] {
  const names = Object.keys(REASONS) as (keyof typeof REASONS)[];
  return Object.fromEntries(
    names.filter((name) => draft[name] === null).map((name) => [name, REASONS[name]]),
  );
}
