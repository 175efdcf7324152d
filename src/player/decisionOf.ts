import type { MediaType, Moment } from '../abr/rule.ts';
import type { DecisionEvent, Draft } from '../telemetry/event.ts';
import type { CheckedAnswer } from './checkedAnswer.ts';

/** A decision of ours as the log takes it. */
export function decisionOf({
  ruleId,
  mediaType,
  moment,
  answer,
  bitrateKbps,
  estimateKbps,
  tookMs,
}: {
  ruleId: string;
  mediaType: MediaType;
  moment: Moment;
  answer: CheckedAnswer;
  bitrateKbps: number;
  /** As dash.js says it: NaN before the first sample. */
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
    bitrateKbps,
    holdUntilBufferMs: answer.holdUntilBufferMs,
    because: answer.because,
    values: { ...answer.values },
    votes: [{ rule: ruleId, rung: answer.rung, because: answer.because, asked: true }],
    moment: { ...moment },
    estimateKbps: Number.isFinite(estimateKbps) ? estimateKbps : null,
    tookMs,
  };
  return { ...draft, missing: missingOf(draft) };
}

function missingOf(
  draft: Pick<DecisionEvent, 'segment' | 'fromRung' | 'holdUntilBufferMs' | 'estimateKbps'>,
): DecisionEvent['missing'] {
  return {
    ...(draft.segment === null && { segment: 'not-supported' as const }),
    ...(draft.fromRung === null && { fromRung: 'too-early' as const }),
    ...(draft.holdUntilBufferMs === null && { holdUntilBufferMs: 'not-applicable' as const }),
    ...(draft.estimateKbps === null && { estimateKbps: 'too-early' as const }),
  };
}
